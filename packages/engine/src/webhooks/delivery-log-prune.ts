import sql, { raw } from "sql-template-tag";
import type { Parts } from "../system/index.ts";

const batch = 1000;
/** Those whose rows end one by one: what was there before the log had days, and what outlived its day. */
const partitions = ["webhook_deliveries_before", "webhook_deliveries_default"];

/**
 * Deletes deliveries that have no day's partition, once their last attempt was made `keepSeconds` ago; the oldest
 * first, at most 1000 per call and partition. A pending delivery stays, as does one that is replayed meanwhile. Many
 * servers may call it at once.
 */
export function createDeliveryLogPrune(
	{ database, clock }: Parts,
	{ keepSeconds }: { keepSeconds: number },
): () => Promise<void> {
	return async () => {
		const before = new Date(clock.now() - keepSeconds * 1000);
		const there = await database.query<{ name: string }>(
			sql`select relname as name from pg_class where relnamespace = 'reelmill'::regnamespace and relname = any(${partitions}::text[])`,
		);
		for (const { name } of there)
			await database.query(sql`
				delete from reelmill.webhook_deliveries where created_at <= ${before} and (id, created_at) in (
					select id, created_at from ${raw(`reelmill.${name}`)}
					where status <> 'pending' and created_at <= ${before} and coalesce((attempts -> -1 ->> 'attempted_at')::timestamptz, created_at) <= ${before}
					order by created_at limit ${batch} for update skip locked)`);
	};
}
