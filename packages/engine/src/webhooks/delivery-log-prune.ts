import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

const batch = 1000;

/**
 * Deletes deliveries whose last attempt was made `keepSeconds` ago, the oldest first, at most 1000 per call. A pending
 * delivery stays, as does one that is replayed meanwhile. Many servers may call it at once.
 */
export function createDeliveryLogPrune(
	{ database, clock }: Parts,
	{ keepSeconds }: { keepSeconds: number },
): () => Promise<void> {
	return async () => {
		const before = new Date(clock.now() - keepSeconds * 1000);
		await database.query(sql`
			delete from reelmill.webhook_deliveries where id in (
				select id from reelmill.webhook_deliveries
				where status <> 'pending' and created_at <= ${before} and coalesce((attempts -> -1 ->> 'attempted_at')::timestamptz, created_at) <= ${before}
				order by created_at limit ${batch} for update skip locked)`);
	};
}
