import { deliveryStatuses, type Stats, type VideoState, videoStates } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

type Counted = {
	domains: number;
	storage_bytes: number;
	waiting: number;
	running: number;
	oldest_queued_at: Date | null;
	uploaded_bytes: number;
	encoded_seconds: number;
};

export function createStats({ database, clock }: Parts): () => Promise<Stats> {
	return async () => {
		const now = new Date(clock.now());
		const [counted, videos, deliveries] = await Promise.all([
			database.query<Counted>(sql`
				select (select count(*) from reelmill.domains where deleted_at is null) as domains,
					(select coalesce(sum(storage_bytes), 0)::bigint from reelmill.domains) as storage_bytes,
					j.waiting, j.running, j.oldest_queued_at, u.uploaded_bytes, u.encoded_seconds
				from (select count(*) filter (where lock is null) as waiting, count(*) filter (where lock is not null) as running,
						min(queued_at) filter (where lock is null) as oldest_queued_at from reelmill.jobs) j,
					(select coalesce(sum(t.uploaded_bytes), 0)::bigint as uploaded_bytes, coalesce(sum(t.encoded_seconds), 0) as encoded_seconds
						from reelmill.usage_days t join reelmill.domains d on d.id = t.domain_id where t.day = (${now}::timestamptz at time zone 'UTC')::date) u`),
			database.query<{ state: VideoState; count: number }>(
				sql`select state, count(*) as count from reelmill.videos where kind = 'video' and deleted_at is null group by state`,
			),
			database.query<{ status: (typeof deliveryStatuses)[number]; count: number }>(
				sql`select status, count(*) as count from reelmill.webhook_deliveries group by status`,
			),
		]);
		const [{ oldest_queued_at: oldest, ...total }] = counted as [Counted];
		return {
			taken_at: now.toISOString(),
			domains: total.domains,
			videos: complete(videoStates, new Map(videos.map(({ state, count }) => [state, count]))),
			jobs: {
				waiting: total.waiting,
				running: total.running,
				oldest_waiting_seconds: oldest && Math.max(0, now.getTime() - oldest.getTime()) / 1000,
			},
			webhook_deliveries: complete(deliveryStatuses, new Map(deliveries.map(({ status, count }) => [status, count]))),
			storage_bytes: total.storage_bytes,
			uploaded_bytes_today: total.uploaded_bytes,
			encoded_seconds_today: total.encoded_seconds,
		};
	};
}

/** Returns a number for every name: 0 if nothing was counted. */
const complete = <Name extends string>(
	names: readonly Name[],
	counts: ReadonlyMap<Name, number>,
): { [N in Name]: number } =>
	Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0])) as { [N in Name]: number };
