import type { Chunk, Job, JobPlan } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Parts } from "../../system/index.ts";
import { type ClaimedRow, claimedJob } from "../claimed-job.ts";
import { isFor, type Taker } from "../workers/claimant.ts";

type ClaimRow = ClaimedRow & {
	plan: Chunk;
	content_type: string;
	file_size: number;
	video_plan: JobPlan;
};

export type ChunkClaims = {
	/**
	 * Locks the waiting chunk that was offered first and returns it, or returns null if none waits. Chunks of the sandbox
	 * come after all others, and only if no tenant's video waits for a worker.
	 */
	lockNext(claimant: Taker): Promise<Job | null>;
	/** Locks this chunk and returns it, or returns null if it doesn't wait. */
	lockById(id: string, claimant: Taker): Promise<Job | null>;
};

/** How many attempts other workers have before the chunk is left to the worker that has the video. */
export const chunkAttempts = 3;

/** SQL: whether nobody encodes chunk `c`, because it waits or its lock expired. */
export const isUnlocked = (now: Date): Sql =>
	sql`(c.state = 'waiting' or (c.state = 'locked' and c.lock_expires_at <= ${now}))`;

/** SQL: whether chunk `c` may be given to another worker than the one that has the video. */
export const isClaimable = (now: Date): Sql => sql`(${isUnlocked(now)} and c.attempt < ${chunkAttempts})`;

/** Gives chunks to workers as jobs with locks of their own. It skips a chunk that another worker is about to take. */
export function createChunkClaims(
	{ database, clock, random }: Parts,
	{ lockSeconds }: { lockSeconds: number },
): ChunkClaims {
	const lockOne = async (condition: Sql, { worker, takesSandbox }: Taker): Promise<Job | null> => {
		const now = new Date(clock.now());
		const lock = random.uuid();
		const [row] = await database.query<ClaimRow>(sql`
			with picked as (
				select c.id from reelmill.chunks c join reelmill.videos v on v.id = c.video_id
				where ${isClaimable(now)} and ${isFor(takesSandbox)} and ${condition}
				order by c.rank, c.created_at, c.number limit 1 for update of c skip locked),
			locked as (
				update reelmill.chunks c set state = 'locked', lock = ${lock}, claimed_lock = ${lock}, claimed_at = ${now}, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker},
					attempt = c.attempt + 1, progress = 0, delivery = null
				from picked where c.id = picked.id returning c.*)
			select l.id, l.lock, l.lock_expires_at, l.attempt, l.plan, v.content_type, v.file_size, v.max_duration_seconds, v.session_id is not null as is_sandbox, v.plan as video_plan, v.id as video_id, v.domain_id, v.traceparent, v.request_id
			from locked l join reelmill.videos v on v.id = l.video_id`);
		return row === undefined ? null : jobOf(row);
	};
	return {
		lockNext: (claimant) => lockOne(sql`(c.rank = 0 or not exists (${tenantsJob(new Date(clock.now()))}))`, claimant),
		lockById: (id, claimant) => lockOne(sql`c.id = ${id}`, claimant),
	};
}

const tenantsJob = (now: Date): Sql =>
	sql`select from reelmill.jobs j where j.lock is null and j.rank = 0 and j.not_before <= ${now}`;

const jobOf = (row: ClaimRow): Job => ({
	...claimedJob(row),
	kind: "chunk",
	source: { content_type: row.content_type, file_size: row.file_size },
	plan: row.video_plan,
	speed: row.plan.speed,
	playable_first: false,
	outro: null,
	chunk: row.plan,
	transcript: null,
	idle_workers: 0,
});
