import sql, { type Sql } from "sql-template-tag";

const dayMilliseconds = 86_400_000;
/** The second group of a random UUID's digits: 16 random bits. */
const group = /(?<=^[0-9a-f]{8}-)[0-9a-f]{4}/i;

/**
 * Returns a random UUID that tells the UTC day of a row that is made at `now`, in milliseconds. It stays a random UUID:
 * 106 of its bits are.
 */
export const datedId = (uuid: string, now: number): string =>
	uuid.replace(group, (Math.floor(now / dayMilliseconds) % 65_536).toString(16).padStart(4, "0"));

/**
 * Returns SQL: whether `created_at` of a row is of the day that the id tells. Ids that tell no day give any day, so a
 * row that isn't found by it may still be there.
 */
export function createdOnDayOf(id: string, row: Sql): Sql {
	const from = Number.parseInt(group.exec(id)?.[0] ?? "0", 16) * dayMilliseconds;
	return sql`${row}.created_at >= ${new Date(from)} and ${row}.created_at < ${new Date(from + dayMilliseconds)}`;
}
