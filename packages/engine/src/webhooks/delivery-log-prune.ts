import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

const batch = 1000;

/**
 * Deletes deliveries that have no day's partition, once their last attempt was made `keepSeconds` ago; the oldest
 * first, at most 1000 per call. A pending delivery stays, as does one that is replayed meanwhile. Many
 * servers may call it at once.
 */
export function createDeliveryLogPrune(
	{ database, clock }: Parts,
	{ keepSeconds }: { keepSeconds: number },
): () => Promise<void> {
	return async () => {
		const before = new Date(clock.now() - keepSeconds * 1000);
		await database.query(sql`
			delete from reelmill.webhook_deliveries where created_at <= ${before} and (id, created_at) in (
				select id, created_at from reelmill.webhook_deliveries_default
				where status <> 'pending' and created_at <= ${before} and coalesce((attempts -> -1 ->> 'attempted_at')::timestamptz, created_at) <= ${before}
				order by created_at limit ${batch} for update skip locked)`);
	};
}
