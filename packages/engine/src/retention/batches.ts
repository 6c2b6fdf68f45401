import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../ports/index.ts";

/** How many rows a statement deletes at most. */
const batch = 500;
/** The same of deliveries: a trigger counts each of them, which takes as long again. */
const deliveriesBatch = 250;
/** How many rows are deleted at once. */
const mostRows = 10_000;

/**
 * Deletes the rows of `table` that meet `condition`, one batch a statement, so that no lock is held for long. It leaves
 * locked rows, and whatever exceeds 10,000 rows, for the next time. Several servers may call it at once. `condition`
 * needs an index.
 */
export const deleteInBatches = (database: Database, table: Sql, condition: Sql): Promise<void> =>
	inBatches(
		database,
		sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batch} for update skip locked))`,
		batch,
	);

/**
 * Deletes a domain's deliveries, likewise. Rows of partitions are known by their id and day: `ctid` isn't theirs
 * alone.
 */
export const deleteDeliveries = (database: Database, domainId: string): Promise<void> =>
	inBatches(
		database,
		sql`
		delete from reelmill.webhook_deliveries where (id, created_at) in (
			select id, created_at from reelmill.webhook_deliveries where domain_id = ${domainId} limit ${deliveriesBatch} for update skip locked)`,
		deliveriesBatch,
	);

async function inBatches(database: Database, deletion: Sql, each: number): Promise<void> {
	for (let count = 0; count < mostRows; count += each) {
		const [row] = await database.query<{ gone: number }>(sql`
			with gone as (${deletion} returning 1) select count(*)::integer as gone from gone`);
		if ((row?.gone ?? 0) < each) return;
	}
}
