import type { Job, JobPlan } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { jobLimits } from "../limits/index.ts";
import type { Parts } from "../system/index.ts";
import { type StoredOutputs, soundFile } from "../videos/index.ts";
import { type ChunkClaimant, isFor } from "./chunk-claims.ts";

type ClaimRow = {
	id: string;
	lock: string;
	lock_expires_at: Date;
	attempt: number;
	outputs: StoredOutputs;
	plan: JobPlan;
	duration_seconds: number;
	max_duration_seconds: number;
	is_sandbox: boolean;
	traceparent: string | null;
};

export type TranscriptionClaims = {
	/** Locks the waiting transcription that was requested first and returns it, or returns null if none waits. */
	lockNext(claimant: ChunkClaimant): Promise<Job | null>;
	/** Locks this video's transcription and returns it, or returns null if it doesn't wait. */
	lockById(videoId: string, claimant: ChunkClaimant): Promise<Job | null>;
};

/** How many attempts a transcript has before it is `failed`. */
export const transcriptionAttempts = 3;

/** SQL: whether nobody works on transcription `t`, because it waits or its lock expired. */
export const isFree = (now: Date): Sql => sql`(t.lock is null or t.lock_expires_at <= ${now})`;
/** SQL: whether transcription `t` may be given to a worker. */
export const isClaimable = (now: Date): Sql =>
	sql`${isFree(now)} and t.attempt < ${transcriptionAttempts} and t.not_before <= ${now}`;
/** SQL: whether a tenant's transcription may be given to a worker. Videos of the sandbox come after it. */
export const tenantWaits = (now: Date): Sql => sql`
	exists (select from reelmill.transcriptions t join reelmill.videos w on w.id = t.video_id where ${isClaimable(now)} and w.session_id is null and w.deleted_at is null)`;

/** Gives transcripts of available videos to workers as jobs. It skips one that another worker is about to take. */
export function createTranscriptionClaims(
	{ database, clock, random }: Parts,
	{ lockSeconds }: { lockSeconds: number },
): TranscriptionClaims {
	const lockOne = async (condition: Sql, { worker, takesSandbox }: ChunkClaimant): Promise<Job | null> => {
		const now = new Date(clock.now());
		const lock = random.uuid();
		const [row] = await database.query<ClaimRow>(sql`
			with picked as (
				select t.video_id from reelmill.transcriptions t join reelmill.videos v on v.id = t.video_id
				where ${isClaimable(now)} and v.deleted_at is null and ${isFor(takesSandbox)} and ${condition}
				order by t.created_at, t.video_id limit 1 for update of t skip locked),
			locked as (
				update reelmill.transcriptions t set lock = ${lock}, claimed_lock = ${lock}, claimed_at = ${now}, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker},
					attempt = t.attempt + 1, progress = 0, delivery = null
				from picked where t.video_id = picked.video_id returning t.*)
			select v.id, l.lock, l.lock_expires_at, l.attempt, v.outputs, v.plan, coalesce(v.duration_seconds, 0) as duration_seconds, v.max_duration_seconds, v.session_id is not null as is_sandbox, v.traceparent
			from locked l join reelmill.videos v on v.id = l.video_id`);
		return row === undefined ? null : jobOf(row);
	};
	return {
		lockNext: (claimant) => lockOne(sql`true`, claimant),
		lockById: (videoId, claimant) => lockOne(sql`t.video_id = ${videoId}`, claimant),
	};
}

const jobOf = ({ outputs, plan, duration_seconds, ...row }: ClaimRow): Job => ({
	id: row.id,
	kind: "transcript",
	lock: row.lock,
	lock_expires_at: row.lock_expires_at.toISOString(),
	attempt: row.attempt,
	source: { content_type: "video/mp4", file_size: outputs.files[soundFile(outputs) ?? ""] ?? 0 },
	limits: jobLimits(row.max_duration_seconds, row.is_sandbox),
	plan: { ...plan, transcript: true, outro_id: null },
	speed: "balanced",
	playable_first: false,
	outro: null,
	chunk: null,
	transcript: { duration_seconds },
	idle_workers: 0,
	...(row.traceparent !== null && { traceparent: row.traceparent }),
});
