import type { ReplayAnswer, ReplayRequest } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

const batch = 500;
const most = 10_000;

/**
 * Creates the function that replays what failed since a time, in statements of at most 500 deliveries, so that none
 * holds many rows for long. Deliveries that it has made pending are no longer among those it looks for.
 */
export function createReplayAll({ database, clock }: Parts) {
	return async ({ domainId }: TenantPrincipal, { since, status, dry_run }: ReplayRequest): Promise<ReplayAnswer> => {
		// A year before the first that PostgreSQL reads as JavaScript writes it is as good as the epoch.
		const from = new Date(Math.max(0, Date.parse(since)));
		const found = sql`
			select id, created_at from reelmill.webhook_deliveries
			where domain_id = ${domainId} and status = ${status} and created_at >= ${from} order by created_at, id`;
		const count = async (limit: number): Promise<number> =>
			(await database.query<{ id: string }>(sql`${found} limit ${limit}`)).length;
		if (dry_run) {
			const counted = await count(most + 1);
			return { replayed: Math.min(counted, most), more: counted > most };
		}
		let replayed = 0;
		while (replayed < most) {
			const rows = await database.query<{ id: string }>(sql`
				update reelmill.webhook_deliveries set status = 'pending', replays_owed = replays_owed + 1, next_attempt_at = ${new Date(clock.now())}
				where (id, created_at) in (${found} limit ${batch} for update skip locked) and created_at >= ${from} and status = ${status} returning id`);
			replayed += rows.length;
			if (rows.length < batch) return { replayed, more: false };
		}
		return { replayed, more: (await count(1)) > 0 };
	};
}
