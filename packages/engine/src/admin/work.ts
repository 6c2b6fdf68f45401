import type { QueuedJob } from "@reelmill/contracts";
import sql from "sql-template-tag";

/**
 * SQL: all jobs in one table: of videos and outros, chunks that nobody is done with, late transcripts, posters. A predicate on
 * its columns reaches the tables' indexes.
 */
export const work = sql`(
	select id, kind, id as video_id, domain_id, attempt, queued_at as created_at, lock, lock_expires_at, worker, progress, attempt_progress,
		case when claimed_lock = lock then claimed_at end as since from reelmill.jobs
	union all
	select id, 'chunk', video_id, domain_id, attempt, created_at, lock, lock_expires_at, worker, progress, progress,
		case when claimed_lock = lock then claimed_at end from reelmill.chunks where state in ('waiting', 'locked')
	union all
	select video_id, 'transcript', video_id, (select v.domain_id from reelmill.videos v where v.id = video_id), attempt, created_at, lock, lock_expires_at, worker,
		progress, progress, case when claimed_lock = lock then claimed_at end from reelmill.transcriptions
	union all
	select id, 'poster', video_id, domain_id, attempt, created_at, lock, lock_expires_at, worker, progress, progress,
		case when claimed_lock = lock then claimed_at end from reelmill.posters)`;

/** A row of {@link work}, with what {@link workDetails} adds. */
export type WorkRow = {
	readonly id: string;
	readonly kind: QueuedJob["kind"];
	readonly video_id: string;
	readonly domain_id: string;
	readonly attempt: number;
	readonly created_at: Date;
	readonly lock: string | null;
	readonly lock_expires_at: Date | null;
	readonly worker: string | null;
	readonly progress: number;
	readonly attempt_progress: number;
	readonly since: Date | null;
	readonly domain_slug: string | null;
	readonly external_ref: string | null;
	readonly is_sandbox: boolean;
	/** The seconds of the video that are the job's; null while unknown. */
	readonly duration_seconds: number | null;
};

/** SQL: what a row of {@link work}, called `w`, gets from its video `v`, its domain `d` and its chunk `c`. */
export const workDetails = sql`
	case when d.deleted_at is null then d.slug end as domain_slug, v.external_ref, coalesce(v.session_id is not null, false) as is_sandbox,
	v.duration_seconds * case when c.id is null then 1 else ((c.plan ->> 'end_frame')::double precision - (c.plan ->> 'first_frame')::double precision)
		/ (select max((o.plan ->> 'end_frame')::double precision) from reelmill.chunks o where o.video_id = c.video_id) end as duration_seconds`;

/** SQL: the tables of {@link workDetails}, joined to `w`. */
export const workJoins = sql`
	left join reelmill.videos v on v.id = w.video_id left join reelmill.domains d on d.id = w.domain_id left join reelmill.chunks c on c.id = w.id`;

type AtWork = Pick<QueuedJob, "since" | "progress" | "speed">;

/** Returns what the worker last told. Progress and time are both of its last heartbeat, so the speed doesn't fade. */
export function atWork(row: WorkRow, lockSeconds: number): AtWork {
	const { since, progress, duration_seconds: duration } = row;
	const told = (row.lock_expires_at?.getTime() ?? 0) - lockSeconds * 1000;
	const seconds = since === null ? 0 : (told - since.getTime()) / 1000;
	const isKnown = duration !== null && seconds > 0 && row.attempt_progress > 0;
	const speed = isKnown ? Math.round((duration * row.attempt_progress) / seconds) / 100 : null;
	return { since: since?.toISOString() ?? null, progress, speed };
}
