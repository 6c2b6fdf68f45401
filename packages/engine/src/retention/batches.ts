import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../ports/index.ts";

const batch = 500;
const batchesAtOnce = 20;

/**
 * Deletes the rows of `table` that meet `condition`, a batch a statement, so that no lock is held for long. A row that
 * is locked is left for the next time, and so is what is more than 10,000. Many servers may do it at once. `condition`
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
