import { type Job, type JobPlan, ReelmillError } from "@reelmill/contracts";
import sql, { empty, join, type Sql } from "sql-template-tag";
import type { Pulse } from "../../background/index.ts";
import type { Parts } from "../../system/index.ts";
import { target } from "../../videos/index.ts";
import { maxAttempts } from "../attempts/give-back.ts";
import { type ChunkClaims, isClaimable } from "../chunks/chunk-claims.ts";
import { type ClaimedRow, claimedJob } from "../claimed-job.ts";
import { type LateClaims, tenantWaits } from "../late/late-claims.ts";
import { mezzanine } from "../outputs/outputs.ts";
import type { Claimant, Taker } from "../workers/claimant.ts";
import { lateKinds } from "../workers/late-kinds.ts";
import { isAnyKept, mayHaveJob } from "../workers/prefer-others.ts";
import { createWaitingRoom } from "../workers/waiting-room.ts";
import type { WaitingWorkers } from "../workers/waiting-workers.ts";
import { type ClipRow, clipOf, isDue, jobOfClip } from "./clip-claims.ts";
import { chooseSpeed, longQueue, type SpeedSetting } from "./speed.ts";
import { waitingWork } from "./waiting-work.ts";

type ClaimRow = ClaimedRow & {
	kind: Job["kind"];
	last_attempt: boolean;
	losses: number;
	cut: number | null;
	content_type: string;
	file_size: number;
	plan: JobPlan;
	outro_file_size: number | null;
	queued_at: Date;
	waiting: number;
	running: number;
	idle_workers: number;
	/** Of a clip: its row, and how the video that it is cut of has its files now; null if that is gone. */
	clip: ClipRow | null;
};

export type Claims = {
	/**
	 * Locks the waiting job whose turn it is and returns it. Domains take turns; each gets its oldest job. Returns null
	 * if no job came within `waitSeconds`, or if `signal` aborted. Each job goes to one worker.
	 *
	 * A chunk comes before the videos of its own domain and after those of all others, so that no video waits because
	 * another one has help. Transcripts of available videos come last. Posters come first, since people wait for them
	 * and they take a second or two: one of a domain at a time, so that videos go on; further ones come before
	 * transcripts. Jobs of the sandbox, its chunks included, come if there is no job of a tenant.
	 */
	next(claimant: Claimant, waitSeconds: number, signal?: AbortSignal): Promise<Job | null>;
	/**
	 * Locks this job and returns it.
	 *
	 * @throws {ReelmillError} `video_not_claimable` when it doesn't wait, isn't for this worker, or went to another.
	 */
	byId(id: string, claimant: Taker): Promise<Job>;
	/** Gives work to the claims that wait in this process: a job was queued. */
	wake(): void;
};

/** No more running jobs are counted than these. If there are more, the time that a job waited tells the pressure. */
const countedRunning = 100;
/** SQL: how many jobs `j` fulfil the condition, `most` at most. So a long queue makes no claim slower. */
const countJobs = (condition: Sql, most: number): Sql =>
	sql`(select count(*) from (select from reelmill.jobs j where ${condition} limit ${most}) counted)`;

export function createClaims(
	parts: Parts,
	{
		pulse,
		chunks,
		posters,
		transcriptions,
		waitingWorkers,
		lockSeconds,
		speed,
		playableFirst,
	}: {
		pulse: Pulse;
		chunks: ChunkClaims;
		posters: LateClaims;
		transcriptions: LateClaims;
		waitingWorkers: WaitingWorkers;
		lockSeconds: number;
		speed: SpeedSetting;
		playableFirst: boolean;
	},
): Claims {
	const { database, clock, random, observer } = parts;
	/**
	 * Locks the job, begins its next attempt and moves the video, in one statement. `wanted` selects the job and says
	 * whether the statement waits for a job that another one holds.
	 */
	const lockOne = async (
		wanted: { readonly condition: Sql; readonly held: Sql },
		{ worker, takesClips = false, takesSandbox }: Taker,
		idleWorkers: Sql,
	): Promise<Job | null> => {
		const now = new Date(clock.now());
		const lock = random.uuid();
		const [row] = await database.query<ClaimRow>(sql`
			with picked as (
				select j.id from reelmill.jobs j join reelmill.videos v on v.id = j.id
				where j.lock is null and v.state = 'queued' and v.deleted_at is null and ${takesSandbox ? sql`true` : sql`j.rank = 0`} and ${takesClips ? sql`true` : sql`j.clip_not_before is null`} and ${wanted.condition}
				order by j.rank, j.turn, j.queued_at limit 1 for update of v, j ${wanted.held}),
			locked as (
				update reelmill.jobs j set lock = ${lock}, claimed_lock = ${lock}, claimed_at = ${now}, attempt_progress = 0, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker}, delivery = null,
					clip_not_before = case when j.clip_not_before is not null then ${now}::timestamptz end,
					attempt = j.attempt + 1, started_at = coalesce(j.started_at + (${now}::timestamptz - j.queued_at), ${now})
				from picked where j.id = picked.id returning j.*),
			moved as (
				update reelmill.videos v set state = ${target("queued", "claim")}, version = v.version + 1, updated_at = ${now}, worker = ${worker}
				from picked where v.id = picked.id returning v.*)
			select l.id, l.kind, l.lock, l.lock_expires_at, l.attempt, l.attempt - l.losses >= ${maxAttempts} as last_attempt, l.losses, l.cut, l.queued_at, m.content_type, m.file_size, m.max_duration_seconds, m.session_id is not null as is_sandbox, m.plan, m.domain_id, m.id as video_id, m.traceparent, m.request_id,
				(o.outputs #>> ${`{files,${mezzanine}}`}::text[])::bigint as outro_file_size,
				${clipOf(sql`l.id`)} as clip,
				${countJobs(sql`j.lock is null and j.id <> l.id and j.rank <= l.rank`, longQueue * countedRunning)} as waiting,
				${countJobs(sql`j.lock is not null and j.id <> l.id`, countedRunning)} + 1 as running, ${idleWorkers} as idle_workers
			from locked l join moved m on m.id = l.id left join reelmill.videos o on o.id = m.outro_id and o.deleted_at is null`);
		if (row === undefined) return null;
		const { waiting } = row;
		const running = row.running > countedRunning ? Number.POSITIVE_INFINITY : row.running;
		const waitedSeconds = (now.getTime() - row.queued_at.getTime()) / 1000;
		observer?.claimed?.({ kind: row.kind === "outro" ? "outro" : "video", waitedSeconds });
		return jobOf(row, {
			speed: chooseSpeed(speed, { waitedSeconds, waiting, running }),
			playable_first: playableFirst && row.kind === "video",
		});
	};
	/** Skips a job that another worker is about to take. */
	const lockVideo = async (claimant: Claimant): Promise<Job | null> => {
		const { takesChunks, machine } = claimant;
		const now = new Date(clock.now());
		const late = lateKinds
			.filter(({ takes }) => takes(claimant))
			.map((kind) => sql`and not ${tenantWaits(kind, claimant, now)}`);
		const due = sql`${isDue(now)} and ${mayHaveJob(claimant, now)} ${late.length === 0 ? empty : sql`and (j.rank = 0 or true ${join(late, " ")})`}`;
		const held = sql`skip locked`;
		if (!takesChunks) return lockOne({ condition: due, held }, claimant, sql`0`);
		const condition = sql`${due} and not exists (select from reelmill.chunks c where c.domain_id = j.domain_id and c.state = 'waiting')
			and (j.rank = 0 or not exists (select from reelmill.chunks c where c.rank < j.rank and ${isClaimable(now)}))`;
		return (
			(await lockOne({ condition, held }, claimant, waitingWorkers.countBeside(machine))) ?? chunks.lockNext(claimant)
		);
	};
	const lockNext = async (claimant: Claimant): Promise<Job | null> =>
		(claimant.takesPosters ? await posters.lockFirst(claimant) : null) ??
		(await lockVideo(claimant)) ??
		(claimant.takesPosters ? await posters.lockNext(claimant) : null) ??
		(claimant.takesTranscripts ? transcriptions.lockNext(claimant) : null);

	const isAnyKeptNow = async (claimant: Claimant): Promise<boolean> => {
		const [row] = await database.query<{ is: boolean }>(
			sql`select ${isAnyKept(claimant, new Date(clock.now()))} as is`,
		);
		return row?.is ?? false;
	};
	const room = createWaitingRoom(parts, { ask: lockNext, isAnyKept: isAnyKeptNow, waitingWork, waitingWorkers, pulse });

	return {
		async next(claimant, waitSeconds, signal) {
			// Don't claim a job for a worker that has disconnected: its lock would block the job until it expires.
			if (signal?.aborted) return null;
			return waitSeconds === 0 ? lockNext(claimant) : room.wait(claimant, waitSeconds * 1000, signal);
		},
		async byId(id, claimant) {
			const job =
				(await lockOne({ condition: sql`j.id = ${id}`, held: empty }, claimant, sql`0`)) ??
				(await chunks.lockById(id, claimant)) ??
				(await transcriptions.lockById(id, claimant)) ??
				(await posters.lockById(id, claimant));
			if (job === null) throw new ReelmillError("video_not_claimable");
			return job;
		},
		wake: room.wake,
	};
}

const jobOf = (row: ClaimRow, wanted: Pick<Job, "speed" | "playable_first">): Job => ({
	...claimedJob(row),
	kind: row.kind,
	last_attempt: row.last_attempt,
	source: { content_type: row.content_type, file_size: row.file_size },
	plan: row.plan,
	...wanted,
	outro: row.outro_file_size === null ? null : { file_size: row.outro_file_size },
	chunk: null,
	transcript: null,
	...(row.clip !== null && { clip: jobOfClip(row.clip) }),
	idle_workers: row.idle_workers,
	...(row.cut !== null && { cut: row.cut }),
	...(row.losses > 0 && { losses: row.losses }),
});
