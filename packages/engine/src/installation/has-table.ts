import sql from "sql-template-tag";
import type { Database } from "../ports/index.ts";

/**
 * Returns whether the database has this table. What is looked at before the schema is brought up to date may not exist
 * yet.
 */
export async function hasTable(database: Database, name: string): Promise<boolean> {
	const [row] = await database.query<{ there: boolean }>(sql`select to_regclass(${name}) is not null as there`);
	return row?.there === true;
}
