import type { Chunk, Job, JobPlan } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { jobLimits } from "../limits/index.ts";
import type { Parts } from "../system/index.ts";

type ClaimRow = {
	id: string;
	lock: string;
	lock_expires_at: Date;
	attempt: number;
	plan: Chunk;
	content_type: string;
	file_size: number;
	max_duration_seconds: number;
	is_sandbox: boolean;
	video_plan: JobPlan;
};

/** Who asks, by its name for logs, and whether it takes jobs of the sandbox. */
export type ChunkClaimant = { readonly worker: string; readonly takesSandbox: boolean };

export type ChunkClaims = {
	/**
	 * The chunk that was offered first of those that wait, locked, or null; the sandbox's after all others, and not while
	 * a tenant's video waits for a worker.
	 */
	lockNext(claimant: ChunkClaimant): Promise<Job | null>;
	/** This chunk, locked, or null where it isn't one that waits. */
	lockById(id: string, claimant: ChunkClaimant): Promise<Job | null>;
};

/** Attempts of other workers, before a chunk is left to the worker that has the video. */
export const chunkAttempts = 3;

/** Whether nobody encodes chunk `c`: it waits, or its worker's lock ran out. */
export const isUnlocked = (now: Date): Sql =>
	sql`(c.state = 'waiting' or (c.state = 'locked' and c.lock_expires_at <= ${now}))`;

/** Whether chunk `c` may be given to another worker than the one that has the video. */
export const isClaimable = (now: Date): Sql => sql`(${isUnlocked(now)} and c.attempt < ${chunkAttempts})`;
/** Whether video `v` is for such a worker. */
export const isFor = (takesSandbox: boolean): Sql => (takesSandbox ? sql`true` : sql`v.session_id is null`);

/** Chunks given out as jobs, under locks of their own. One that another worker is about to take is passed over. */
export function createChunkClaims(
	{ database, clock, random }: Parts,
	{ lockSeconds }: { lockSeconds: number },
): ChunkClaims {
	const lockOne = async (condition: Sql, { worker, takesSandbox }: ChunkClaimant): Promise<Job | null> => {
		const now = new Date(clock.now());
		const [row] = await database.query<ClaimRow>(sql`
			with picked as (
				select c.id from reelmill.chunks c join reelmill.videos v on v.id = c.video_id
				where ${isClaimable(now)} and ${isFor(takesSandbox)} and ${condition}
				order by c.rank, c.created_at, c.number limit 1 for update of c skip locked),
			locked as (
				update reelmill.chunks c set state = 'locked', lock = ${random.uuid()}, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker},
					attempt = c.attempt + 1, progress = 0, delivery = null
				from picked where c.id = picked.id returning c.*)
			select l.id, l.lock, l.lock_expires_at, l.attempt, l.plan, v.content_type, v.file_size, v.max_duration_seconds, v.session_id is not null as is_sandbox, v.plan as video_plan
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
	id: row.id,
	kind: "chunk",
	lock: row.lock,
	lock_expires_at: row.lock_expires_at.toISOString(),
	attempt: row.attempt,
	source: { content_type: row.content_type, file_size: row.file_size },
	limits: jobLimits(row.max_duration_seconds, row.is_sandbox),
	plan: row.video_plan,
	speed: row.plan.speed,
	playable_first: false,
	outro: null,
	chunk: row.plan,
	transcript: null,
	idle_workers: 0,
});
