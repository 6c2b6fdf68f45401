import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../ports/index.ts";

const batch = 500;
const batchesAtOnce = 20;

/**
 * Deletes the rows of `table` that meet `condition`, one batch a statement, so that no lock is held for long. It leaves
 * locked rows, and whatever exceeds 10,000 rows, for the next time. Several servers may call it at once. `condition`
 * needs an index.
 */
export async function deleteInBatches(database: Database, table: Sql, condition: Sql): Promise<void> {
	for (let count = 0; count < batchesAtOnce; count++) {
		const [row] = await database.query<{ gone: number }>(sql`
			with gone as (
				delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batch} for update skip locked)) returning 1)
			select count(*)::integer as gone from gone`);
		if ((row?.gone ?? 0) < batch) return;
	}
}
