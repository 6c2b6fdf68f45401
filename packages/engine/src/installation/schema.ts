import sql from "sql-template-tag";
import type { Database, Migration } from "../ports/index.ts";
import { hasTable } from "./has-table.ts";
import { InstallationError } from "./installation-error.ts";

/** The first migration of a schema that was never released. None begins there. */
const unreleased = "0001-foundation";

/**
 * Returns the migration with one statement more: it notes the release that the migration comes with, and the oldest
 * schema whose servers may work beside it, as its line "-- Compatible from <number>" says. Without the line, no server
 * starts any more that doesn't know the migration.
 */
export function noting({ name, text }: Migration, release: string): Migration {
	const [, compatibleFrom] = /^-- Compatible from (\d{4})\b/m.exec(text) ?? [];
	const values = [name, release, compatibleFrom].map((value) =>
		value === undefined ? "null" : `'${value.replaceAll("'", "''")}'`,
	);
	return {
		name,
		text: `${text};\ninsert into reelmill.schema_versions (name, release, compatible_from) values (${values.join(", ")});`,
	};
}

/**
 * Checks that a server that knows these migrations alone may work on the database.
 *
 * @throws {InstallationError} when a later version brought the database to a schema that refuses it, or the schema was
 * made before the first release.
 */
export async function checkSchema(database: Database, migrations: readonly Migration[]): Promise<void> {
	if (
		(await hasTable(database, "reelmill.migrations")) &&
		(await database.query(sql`select from reelmill.migrations where name = ${unreleased}`)).length > 0
	)
		throw new InstallationError({ what: "unreleased_schema" });
	if (!(await hasTable(database, "reelmill.schema_versions"))) return;
	const known = migrations.map(({ name }) => name).at(-1) ?? "";
	const [tooNew] = await database.query<{ name: string; release: string }>(sql`
		select v.name, v.release from reelmill.schema_versions v
		where v.name collate "C" > ${known} and (v.compatible_from is null or v.compatible_from collate "C" > ${known}) order by v.name collate "C" desc limit 1`);
	if (tooNew) throw new InstallationError({ what: "schema", newest: tooNew.name, release: tooNew.release, known });
}
