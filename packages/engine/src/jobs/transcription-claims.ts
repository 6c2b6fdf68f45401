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
};

export type TranscriptionClaims = {
	/** The transcription that was asked for first of those that wait, locked, or null. */
	lockNext(claimant: ChunkClaimant): Promise<Job | null>;
	/** This video's transcription, locked, or null where none waits. */
	lockById(videoId: string, claimant: ChunkClaimant): Promise<Job | null>;
};

/** Attempts before a transcript is `failed`. */
export const transcriptionAttempts = 3;

/** Whether nobody works on transcription `t`: it waits, or its worker's lock ran out. */
export const isFree = (now: Date): Sql => sql`(t.lock is null or t.lock_expires_at <= ${now})`;
/** Whether transcription `t` may be given to a worker. */
const isClaimable = (now: Date): Sql =>
	sql`${isFree(now)} and t.attempt < ${transcriptionAttempts} and t.not_before <= ${now}`;
/** Whether a tenant's transcription may be given to a worker: the sandbox's videos come after it. */
export const tenantWaits = (now: Date): Sql => sql`
	exists (select from reelmill.transcriptions t join reelmill.videos w on w.id = t.video_id where ${isClaimable(now)} and w.session_id is null and w.deleted_at is null)`;

/**
 * Transcripts of videos that are available already, given out as jobs. One that another worker is about to take is
 * passed over.
 */
export function createTranscriptionClaims(
	{ database, clock, random }: Parts,
	{ lockSeconds }: { lockSeconds: number },
): TranscriptionClaims {
	const lockOne = async (condition: Sql, { worker, takesSandbox }: ChunkClaimant): Promise<Job | null> => {
		const now = new Date(clock.now());
		const [row] = await database.query<ClaimRow>(sql`
			with picked as (
				select t.video_id from reelmill.transcriptions t join reelmill.videos v on v.id = t.video_id
				where ${isClaimable(now)} and v.deleted_at is null and ${isFor(takesSandbox)} and ${condition}
				order by t.created_at, t.video_id limit 1 for update of t skip locked),
			locked as (
				update reelmill.transcriptions t set lock = ${random.uuid()}, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker},
					attempt = t.attempt + 1, progress = 0, delivery = null
				from picked where t.video_id = picked.video_id returning t.*)
			select v.id, l.lock, l.lock_expires_at, l.attempt, v.outputs, v.plan, coalesce(v.duration_seconds, 0) as duration_seconds, v.max_duration_seconds, v.session_id is not null as is_sandbox
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
});
