import type { Job, JobPlan } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { latePutSeconds } from "../../storage/index.ts";
import type { Parts } from "../../system/index.ts";
import { type StoredOutputs, soundFile } from "../../videos/index.ts";
import { type ClaimedRow, claimedJob } from "../claimed-job.ts";
import { isFor, type Taker } from "../workers/claimant.ts";
import { mayHaveTranscription } from "../workers/prefer-others.ts";

type ClaimRow = ClaimedRow & {
	outputs: StoredOutputs;
	plan: JobPlan;
	duration_seconds: number;
};

export type TranscriptionClaims = {
	/** Locks the waiting transcription that was requested first and returns it, or returns null if none waits. */
	lockNext(claimant: Taker): Promise<Job | null>;
	/** Locks this video's transcription and returns it, or returns null if it doesn't wait. */
	lockById(videoId: string, claimant: Taker): Promise<Job | null>;
};

/** How many attempts a transcript may spoil before it is `failed`. */
export const transcriptionAttempts = 3;
/** How many workers a transcript may lose, or find at fault, before it counts as the reason, and is `failed`. */
export const maxLostTranscribers = 10;

/** SQL: whether nobody works on transcription `t`, because it waits or its lock expired. */
export const isFree = (now: Date): Sql => sql`(t.lock is null or t.lock_expires_at <= ${now})`;
/** SQL: whether free transcription `t` has had all its attempts, or lost the last worker that it may lose. */
export const isSpent = sql`(case when t.lock is null then t.attempt >= ${transcriptionAttempts} else t.lost + 1 >= ${maxLostTranscribers} end)`;
/** SQL: whether transcription `t` may be given to a worker. */
export const isClaimable = (now: Date): Sql => sql`${isFree(now)} and not ${isSpent} and t.not_before <= ${now}`;
/** SQL: whether a tenant's transcription may be given to this worker. Videos of the sandbox come after it. */
export const tenantWaits = (claimant: Pick<Taker, "worker">, now: Date): Sql => sql`
	exists (select from reelmill.transcriptions t join reelmill.videos v on v.id = t.video_id
		where ${isClaimable(now)} and v.session_id is null and v.deleted_at is null and ${mayHaveTranscription(claimant, now)})`;

/**
 * SQL: part `noted`, which notes for deletion what attempts stored: the rows of part `over` have their `video_id` and
 * `lock`, or a `folder` below the lock's. What may still arrive in a bucket is noted once more.
 */
export const noteAttempts = (over: Sql, now: Date, folder = sql`''`): Sql => sql`
	noted as (
		insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
		select 'outputs', concat(v.domain_id, '/', v.id, '/transcripts/', o.lock, '/', ${folder}), v.storage_profile_id, ${now}::timestamptz, due.moment
		from ${over} o join reelmill.videos v on v.id = o.video_id, (values (null::timestamptz), (${new Date(now.getTime() + latePutSeconds * 1000)}::timestamptz)) as due (moment)
		where o.lock is not null and (due.moment is null or v.storage_profile_id is not null) returning id)`;

/** Gives transcripts of available videos to workers as jobs. It skips one that another worker is about to take. */
export function createTranscriptionClaims(
	{ database, clock, random }: Parts,
	{ lockSeconds }: { lockSeconds: number },
): TranscriptionClaims {
	const lockOne = async (
		condition: Sql,
		{ worker, takesSandbox }: Taker,
		now = new Date(clock.now()),
	): Promise<Job | null> => {
		const lock = random.uuid();
		// If the last worker was lost, this goes on with the same attempt.
		const [row] = await database.query<ClaimRow>(sql`
			with picked as (
				select t.video_id, t.lock from reelmill.transcriptions t join reelmill.videos v on v.id = t.video_id
				where ${isClaimable(now)} and v.deleted_at is null and ${isFor(takesSandbox)} and ${condition}
				order by t.created_at, t.video_id limit 1 for update of t skip locked),
			locked as (
				update reelmill.transcriptions t set lock = ${lock}, claimed_lock = ${lock}, claimed_at = ${now}, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker},
					attempt = t.attempt + (t.lock is null)::integer, lost = t.lost + (t.lock is not null)::integer,
					given_back_by = case when t.lock is null then t.given_back_by else array_append(t.given_back_by, coalesce(t.worker, '')) end,
					given_back_at = case when t.lock is null then t.given_back_at else t.lock_expires_at end, progress = 0, delivery = null
				from picked where t.video_id = picked.video_id returning t.*),
			${noteAttempts(sql`picked`, now)}
			select v.id, l.lock, l.lock_expires_at, l.attempt, v.outputs, v.plan, coalesce(v.duration_seconds, 0) as duration_seconds, v.max_duration_seconds, v.session_id is not null as is_sandbox, v.id as video_id, v.domain_id, v.traceparent, v.request_id
			from locked l join reelmill.videos v on v.id = l.video_id`);
		return row === undefined ? null : jobOf(row);
	};
	return {
		lockNext(claimant) {
			const now = new Date(clock.now());
			return lockOne(mayHaveTranscription(claimant, now), claimant, now);
		},
		lockById: (videoId, claimant) => lockOne(sql`t.video_id = ${videoId}`, claimant),
	};
}

const jobOf = ({ outputs, plan, duration_seconds, ...row }: ClaimRow): Job => ({
	...claimedJob(row),
	kind: "transcript",
	source: { content_type: "video/mp4", file_size: outputs.files[soundFile(outputs) ?? ""] ?? 0 },
	plan: { ...plan, transcript: true, outro_id: null },
	speed: "balanced",
	playable_first: false,
	outro: null,
	chunk: null,
	transcript: { duration_seconds },
	idle_workers: 0,
});
