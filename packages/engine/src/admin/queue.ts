import { type JobQueue, jobKinds, type Queue, type QueuedJob, type QueuedJobPage } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { operatorScope, type PageRequest, type Pages } from "../cursors/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { atWork, type WorkRow, work, workDetails, workJoins } from "./work.ts";

export type JobsRequest = PageRequest & {
	readonly state?: QueuedJob["state"] | undefined;
	readonly domain_id?: string | undefined;
};

/** What an operator sees of the queue. */
export type QueueView = {
	/** Returns how much waits and runs at this moment, over all domains and for the 100 domains with most to do. */
	queue(): Promise<Queue>;
	/** Returns how much waits and runs at this moment, late transcripts as well, by kind: for who starts workers. */
	jobQueue(): Promise<JobQueue>;
	/**
	 * Returns a page of waiting and running jobs, those first that were queued first.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` when the limit is outside 1 to 100.
	 */
	listJobs(request: JobsRequest): Promise<QueuedJobPage>;
};

type QueueRow = {
	domain_id: string;
	domain_slug: string | null;
	max_concurrent_processing: number;
	waiting: number;
	running: number;
	oldest: Date | null;
	held_back: number;
	all_waiting: number;
	all_running: number;
	all_oldest: Date | null;
	all_held_back: number;
};

type KindRow = { kind: QueuedJob["kind"]; waiting: number; running: number; oldest: Date | null };

const mostDomains = 100;

export function createQueueView(
	{ database, clock }: Parts,
	{ pages, windows: { lock: lockSeconds } }: { pages: Pages; windows: Pick<Windows, "lock"> },
): QueueView {
	return {
		async queue() {
			const [rows, [transcripts]] = await Promise.all([
				database.query<QueueRow>(sql`
					with queued as (
						select domain_id, count(*) filter (where lock is null) as waiting, count(*) filter (where lock is not null) as running,
							min(queued_at) filter (where lock is null) as oldest, 0 as held_back from reelmill.jobs group by domain_id
						union all
						select domain_id, 0, 0, null, count(*) from reelmill.videos where state = 'uploaded' and deleted_at is null group by domain_id),
					summed as (
						select domain_id, sum(waiting)::bigint as waiting, sum(running)::bigint as running, min(oldest) as oldest, sum(held_back)::bigint as held_back
						from queued group by domain_id)
					select s.*, case when d.deleted_at is null then d.slug end as domain_slug, d.max_concurrent_processing, sum(waiting) over ()::bigint as all_waiting,
						sum(running) over ()::bigint as all_running, min(oldest) over () as all_oldest, sum(held_back) over ()::bigint as all_held_back
					from summed s join reelmill.domains d on d.id = s.domain_id
					order by waiting + running + held_back desc, s.domain_id limit ${mostDomains}`),
				database.query<{ waiting: number }>(
					sql`select count(*) as waiting from reelmill.transcriptions where lock is null`,
				),
			]);
			const [first] = rows;
			return {
				taken_at: new Date(clock.now()).toISOString(),
				waiting: first?.all_waiting ?? 0,
				running: first?.all_running ?? 0,
				oldest_queued_at: first?.all_oldest?.toISOString() ?? null,
				held_back: first?.all_held_back ?? 0,
				transcripts_waiting: transcripts?.waiting ?? 0,
				domains: rows.map(
					({ domain_id, domain_slug, max_concurrent_processing, waiting, running, oldest, held_back }) => ({
						domain_id,
						domain_slug,
						max_concurrent_processing,
						waiting,
						running,
						oldest_queued_at: oldest?.toISOString() ?? null,
						held_back,
					}),
				),
			};
		},
		async jobQueue() {
			const now = new Date(clock.now());
			const rows = await database.query<KindRow>(sql`
				select kind, count(*) filter (where lock is null) as waiting, count(*) filter (where lock is not null) as running,
					min(created_at) filter (where lock is null) as oldest from ${work} w group by kind`);
			const view = (of: readonly KindRow[]) => {
				const oldest = of.flatMap(({ oldest }) => oldest?.getTime() ?? []);
				return {
					waiting: of.reduce((sum, { waiting }) => sum + waiting, 0),
					running: of.reduce((sum, { running }) => sum + running, 0),
					oldest_waiting_seconds: oldest.length > 0 ? Math.max(0, now.getTime() - Math.min(...oldest)) / 1000 : null,
				};
			};
			const by_kind = jobKinds.map((kind) => ({ kind, ...view(rows.filter((row) => row.kind === kind)) }));
			return { ...view(rows), by_kind };
		},
		async listJobs({ state, domain_id: domainId, ...request }) {
			const filter = JSON.stringify([state ?? null, domainId ?? null]);
			const listing = { route: "listJobs", scope: operatorScope, filter } as const;
			const inState = { waiting: sql`and lock is null`, running: sql`and lock is not null` };
			const { rows, nextCursor } = await pages.readOldest(listing, request, (keyset) =>
				database.query<WorkRow>(sql`
					with page as (
						select * from ${work} w where true ${state === undefined ? sql`` : inState[state]}
						${domainId === undefined ? sql`` : sql`and domain_id = ${domainId}`} ${keyset})
					select w.*, ${workDetails} from page w ${workJoins} order by w.created_at, w.id`),
			);
			return { data: rows.map((row) => viewJob(row, lockSeconds)), next_cursor: nextCursor };
		},
	};
}

const viewJob = (row: WorkRow, lockSeconds: number): QueuedJob => ({
	id: row.id,
	kind: row.kind,
	video_id: row.video_id,
	external_ref: row.external_ref,
	domain_id: row.domain_id,
	domain_slug: row.domain_slug,
	is_sandbox: row.is_sandbox,
	state: row.lock === null ? "waiting" : "running",
	attempt: row.attempt,
	queued_at: row.created_at.toISOString(),
	worker: row.lock === null ? null : row.worker,
	...atWork(row, lockSeconds),
});
