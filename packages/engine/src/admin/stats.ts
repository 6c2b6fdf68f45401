import type { Stats } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Counts } from "../counts/index.ts";
import type { Parts } from "../system/index.ts";

type Counted = {
	domains: number;
	storage_bytes: number;
	oldest_queued_at: Date | null;
	uploaded_bytes: number;
	encoded_seconds: number;
};

export function createStats({ database, clock }: Parts, { counts }: { counts: Counts }): () => Promise<Stats> {
	return async () => {
		const now = new Date(clock.now());
		const [counted, { videos, jobs, deliveries }] = await Promise.all([
			database.query<Counted>(sql`
				select (select count(*) from reelmill.domains where deleted_at is null) as domains,
					(select coalesce(sum(storage_bytes), 0)::bigint from reelmill.domains) as storage_bytes,
					(select queued_at from reelmill.jobs where lock is null order by queued_at, id limit 1) as oldest_queued_at, u.uploaded_bytes, u.encoded_seconds
				from (select coalesce(sum(t.uploaded_bytes), 0)::bigint as uploaded_bytes, coalesce(sum(t.encoded_seconds), 0) as encoded_seconds
						from reelmill.usage_days t join reelmill.domains d on d.id = t.domain_id where t.day = (${now}::timestamptz at time zone 'UTC')::date) u`),
			counts.read(),
		]);
		const [{ oldest_queued_at: oldest, ...total }] = counted as [Counted];
		return {
			taken_at: now.toISOString(),
			domains: total.domains,
			videos,
			jobs: { ...jobs, oldest_waiting_seconds: oldest && Math.max(0, now.getTime() - oldest.getTime()) / 1000 },
			webhook_deliveries: deliveries,
			storage_bytes: total.storage_bytes,
			uploaded_bytes_today: total.uploaded_bytes,
			encoded_seconds_today: total.encoded_seconds,
		};
	};
}
