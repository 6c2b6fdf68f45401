import sql, { type Sql } from "sql-template-tag";
import type { Database, Row } from "../ports/index.ts";
import { createdOnDayOf } from "../system/index.ts";

/** SQL: whether `created_at` of this row may be the delivery's. */
type MayBe = (row: Sql) => Sql;

/**
 * Runs a statement about one delivery, and returns its row: first in the partitions of the day that the id tells, and
 * if the delivery isn't there, in all.
 */
export async function lookUp<R extends Row>(
	database: Database,
	deliveryId: string,
	statement: (mayBe: MayBe) => Sql,
): Promise<R | undefined> {
	const [found] = await database.query<R>(statement((row) => createdOnDayOf(deliveryId, row)));
	return found ?? (await database.query<R>(statement(() => sql`true`)))[0];
}
