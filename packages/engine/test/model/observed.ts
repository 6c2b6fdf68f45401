import type { view } from "./state.ts";
import type { World } from "./world.ts";

export type Observed = ReturnType<typeof view>;

/** The world as PostgreSQL and the disk have it. */
export async function observe({ opened, tenants }: World): Promise<Observed> {
	const { database, uploads, outputs } = opened;
	type Row = Pick<Observed["videos"][number], "id" | "state" | "deleted" | "visibility" | "failure" | "events" | "job">;
	const rows = await database.query<Row>({
		text: `select v.id, v.state, v.deleted_at is not null as deleted, v.visibility, v.failure_reason as failure,
				array(select type from reelmill.webhook_deliveries w where w.video_id = v.id order by type) as events,
				case when j.id is not null then jsonb_build_object('attempt', j.attempt, 'losses', j.losses, 'fruitless', j.fruitless, 'lock', j.lock,
					'startedAt', (extract(epoch from j.started_at) * 1000)::bigint) end as job
			from reelmill.videos v left join reelmill.jobs j on j.id = v.id order by v.id`,
		values: [],
	});
	const gauges = await database.query<Observed["tenants"][number] & { id: string }>({
		text: `select d.id, d.processing_count::integer as processing, d.reserved_bytes::integer as reserved, d.storage_bytes::integer as stored,
				coalesce(sum(u.uploaded_bytes), 0)::integer as uploaded, coalesce(sum(u.encoded_seconds), 0)::integer as "encodedSeconds"
			from reelmill.domains d left join reelmill.usage_days u on u.domain_id = d.id where d.id = any($1) group by d.id`,
		values: [tenants.map(({ id }) => id)],
	});
	const [noted] = await database.query<{ count: number }>({
		text: "select count(*)::integer as count from reelmill.deletions",
		values: [],
	});
	const stored = new Map<string, Set<string>>();
	for (const tenant of tenants) {
		for await (const { key } of outputs.list(`${tenant.id}/`)) {
			const [, id = "", attempt = ""] = key.split("/");
			stored.set(id, (stored.get(id) ?? new Set()).add(attempt));
		}
	}
	return {
		tenants: tenants.map(({ id: wanted }) => {
			const { id: _, ...gauge } = gauges.find(({ id }) => id === wanted) as (typeof gauges)[number];
			return gauge;
		}),
		videos: await Promise.all(
			rows.map(async (row) => ({
				...row,
				uploadBytes: await uploads.size(row.id),
				outputs: [...(stored.get(row.id) ?? [])].sort(),
			})),
		),
		notedDeletions: noted?.count ?? 0,
	};
}

/** The turns of the jobs there are. */
export async function turns({ opened }: World): Promise<ReadonlyMap<string, number>> {
	const rows = await opened.database.query<{ id: string; turn: number }>({
		text: "select id, turn::integer from reelmill.jobs",
		values: [],
	});
	return new Map(rows.map(({ id, turn }) => [id, turn]));
}
