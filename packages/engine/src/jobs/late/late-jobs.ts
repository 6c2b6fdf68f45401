import { type CompleteRequest, type FailRequest, isReelmillError, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { eachApart } from "../../background/index.ts";
import type { FinishedVideo } from "../../edits/index.ts";
import type { OwnedStores, Stores } from "../../storage/index.ts";
import type { Parts } from "../../system/index.ts";
import type { AfterChange, Step, VideoStore } from "../../videos/index.ts";
import type { ArchiveEntries } from "../job-operations.ts";
import { collectFiles } from "../outputs/outputs.ts";
import type { StoreArchive } from "../outputs/store-archive.ts";
import type { JobSource } from "../sources/job-source.ts";
import type { LateKind } from "../workers/late-kinds.ts";
import { isFree, isSpent, lateAttempts, maxLostWorkers, noteAttempts } from "./late-claims.ts";

/** A row of a late job. */
export type LateRecord = {
	readonly video_id: string;
	readonly lock: string | null;
	readonly delivery: string | null;
};

/** A job and its video. */
export type FoundLate<Row> = {
	readonly job: Row & LateRecord;
	readonly video: FinishedVideo;
};

/** A job that a worker holds, its video, and where the attempt's files are. */
export type HeldLate<Row> = FoundLate<Row> & {
	readonly stored: OwnedStores;
	readonly prefix: string;
};

/** What ends a job: what changes of its video. */
export type LateEnd = Pick<Step, "changes" | "updates" | "discards"> & {
	/** Whether the attempt's files are the video's from now on. */
	readonly keepsFiles: boolean;
	/** Takes a note back that a folder is to be deleted (default: there is none). */
	readonly unnoted?: Sql | undefined;
};

/** What one kind of late jobs has that the others have not. */
export type LateWork<Row> = {
	/** What the worker works on. */
	source(held: HeldLate<Row>): Promise<JobSource>;
	/**
	 * Decides what becomes of the video, and calls `end` with it. `collect` returns the sizes of files of the attempt, which
	 * must all be there.
	 */
	complete(
		held: HeldLate<Row>,
		request: CompleteRequest,
		steps: {
			collect(paths: readonly string[]): Promise<Readonly<Record<string, number>>>;
			end(end: LateEnd): Promise<boolean>;
		},
	): Promise<boolean>;
	/** What changes of the video if the job failed. `reason` is what the worker said; null if none said anything. */
	failed(found: FoundLate<Row>, reason: FailRequest["reason"] | null): Pick<Step, "changes" | "updates">;
	/** How many entries an archive of an attempt may have. */
	readonly mostEntries: number;
};

/**
 * What workers do with jobs of one kind on available videos. Every write fails with `invalid_video_state` if there is no
 * such job, and `not_lock_holder` for another lock; then nothing is changed.
 */
export type LateJobs = {
	readonly mostEntries: number;
	/** Renews the lock and returns when it ends. */
	heartbeat(id: string, lock: string, progress: number): Promise<Date>;
	/**
	 * Returns what the worker works on.
	 *
	 * @throws {ReelmillError} `file_not_found` when there is no such file; otherwise as the source of a video.
	 */
	source(id: string): Promise<JobSource>;
	/** Stores an archive of the attempt's files in place of the one before. */
	replaceOutputs(id: string, lock: string, entries: ArchiveEntries): Promise<void>;
	/** Returns where the worker puts the attempt's files one by one. */
	place(id: string, lock: string): Promise<{ readonly stored: OwnedStores; readonly prefix: string }>;
	/**
	 * Gives the video what was made of it, or notes why there is nothing.
	 *
	 * @throws {ReelmillError} `outputs_incomplete`, as for a video.
	 */
	complete(id: string, request: CompleteRequest): Promise<void>;
	/**
	 * Lets the job wait again, or fails it after the last attempt. A worker that was told to stop takes no attempt, and the
	 * next one may begin at once. One that was at fault takes none either, and another worker is preferred.
	 */
	fail(
		id: string,
		request: Pick<FailRequest, "lock" | "reason" | "retryable" | "stopped" | "worker_fault">,
	): Promise<"waiting" | "failed">;
	/** Fails jobs without attempts left, or that lost too many workers, and deletes those of videos that are deleted or lost. */
	endSpent(): Promise<void>;
};

const backoffMilliseconds = 5000;

export function createLateJobs<Row>(
	{ database, clock, random, logger }: Parts,
	{
		late,
		work,
		stores,
		store,
		lockSeconds,
		storeArchive,
		afterChange,
		onEnded = () => {},
	}: {
		late: LateKind;
		work: LateWork<Row>;
		stores: Stores;
		store: VideoStore;
		lockSeconds: number;
		storeArchive: StoreArchive;
		afterChange: AfterChange;
		/** Called with a video whose job failed. */
		onEnded?: (videoId: string) => void;
	},
): LateJobs {
	const { table } = late;
	const find = async (id: string, lock: string | null): Promise<FoundLate<Row>> => {
		const [job] = await database.query<Row & LateRecord>(sql`select t.* from ${table} t where t.${late.id} = ${id}`);
		const video = job === undefined ? null : await store.find(job.video_id);
		if (job === undefined || video === null || video.outputs === null) throw new ReelmillError("invalid_video_state");
		if (lock !== null && job.lock !== lock) throw new ReelmillError("not_lock_holder");
		return { job, video: { ...video, outputs: video.outputs } };
	};
	const held = async (id: string, lock: string | null): Promise<HeldLate<Row>> => {
		const { job, video } = await find(id, lock);
		const stored = await stores.of(video.storage_profile_id);
		return { job, video, stored, prefix: lock === null ? "" : prefixOf(video, lock, job.delivery) };
	};
	const isHeld = (id: string, lock: string) => sql`${late.id} = ${id} and lock = ${lock}`;
	/** Throws the reason why nothing was written. */
	const refused = async (id: string, lock: string): Promise<never> => {
		await find(id, lock);
		throw new ReelmillError("not_lock_holder");
	};
	/** Each attempt has a folder of its own: a worker that lost its lock can't change what is served. */
	const prefixOf = ({ domain_id, id }: FinishedVideo, lock: string, archive: string | null): string =>
		`${domain_id}/${id}/${late.folder}/${lock}/${archive === null ? "" : `${archive}/`}`;
	/**
	 * Ends the job with a change of its video as it was read. Returns false if another change came first, or `condition`
	 * doesn't hold any more.
	 */
	const end = async (
		{ job, video }: FoundLate<Row>,
		{ keepsFiles, unnoted, ...step }: LateEnd,
		condition = sql`true`,
	): Promise<boolean> => {
		const now = new Date(clock.now());
		const isSame = sql`t.lock is not distinct from ${job.lock}::uuid and t.delivery is not distinct from ${job.delivery}::uuid and ${condition}`;
		const ended = sql`ended as (delete from ${table} t using saved where t.video_id = saved.id returning t.*)`;
		let tries = 0;
		let isSaved = false;
		const saved = await store.change(
			video.id,
			({ version }) => {
				// The video is as it was, so the job is not.
				isSaved = version === video.version && tries++ === 0;
				if (!isSaved) return null;
				const parts = [ended, noteAttempts(late, sql`ended`, now, { given: true, attempts: !keepsFiles })];
				if (unnoted !== undefined) parts.push(sql`named as (select id from saved)`, unnoted);
				return { ...step, onlyIf: { table, condition: isSame }, parts };
			},
			undefined,
			video,
		);
		if (saved === null || !isSaved) return false;
		await afterChange(saved);
		return true;
	};

	const endAsFailed = async (found: FoundLate<Row>, reason: FailRequest["reason"] | null, condition?: Sql) => {
		const isEnded = await end(found, { ...work.failed(found, reason), keepsFiles: false }, condition);
		if (isEnded) onEnded(found.video.id);
		return isEnded;
	};

	const jobs: LateJobs = {
		mostEntries: work.mostEntries,
		async heartbeat(id, lock, progress) {
			const expiresAt = new Date(clock.now() + lockSeconds * 1000);
			const [row] = await database.query(sql`
				update ${table} set lock_expires_at = ${expiresAt}, progress = greatest(progress, ${progress}::integer) where ${isHeld(id, lock)} returning video_id`);
			return row === undefined ? refused(id, lock) : expiresAt;
		},
		source: async (id) => work.source(await held(id, null)),
		async replaceOutputs(id, lock, entries) {
			const { video } = await held(id, lock);
			const archive = random.uuid();
			const place = { prefix: prefixOf(video, lock, archive), profileId: video.storage_profile_id };
			await storeArchive(place, entries, async (unnoted) => {
				const named = await database.query(sql`
					with held as (select * from ${table} where ${isHeld(id, lock)} for update),
					named as (update ${table} t set delivery = ${archive} from held where t.video_id = held.video_id returning t.video_id), ${unnoted},
					replaced as (select * from held where delivery is not null),
					${noteAttempts(late, sql`replaced`, new Date(clock.now()), { below: sql`o.delivery || '/'` })}
					select video_id from named`);
				if (named.length === 0) await refused(id, lock);
			});
		},
		async place(id, lock) {
			const { video, stored } = await held(id, lock);
			return { stored, prefix: prefixOf(video, lock, null) };
		},
		async complete(id, request) {
			const { lock } = request;
			const now = await held(id, lock);
			const collect = (paths: readonly string[]) =>
				collectFiles(now.stored.outputs, now.prefix, [...request.outputs.files, ...paths]).catch(
					async (error: unknown) => {
						// Whoever ends a job removes its files. The loss of the lock is then the error to throw.
						if (isReelmillError(error, "outputs_incomplete")) await held(id, lock);
						throw error;
					},
				);
			if (await work.complete(now, request, { collect, end: (ended) => end(now, ended) })) return;
			// If the lock is still held, the video was changed meanwhile, or the archive was replaced.
			await held(id, lock);
			return jobs.complete(id, request);
		},
		async fail(id, { lock, reason, retryable, stopped = false, worker_fault: fault }) {
			const isAtFault = fault !== undefined;
			const takesNone = stopped || isAtFault;
			const mayGoOn = isAtFault ? sql`lost + 1 < ${maxLostWorkers}` : sql`(${stopped} or attempt < ${lateAttempts})`;
			const now = new Date(clock.now());
			const notBefore = new Date(now.getTime() + (stopped ? 0 : backoffMilliseconds));
			const [row] = await database.query(sql`
				with held as (select * from ${table} where ${isHeld(id, lock)} and ${retryable} and ${mayGoOn} for update),
				waiting as (
					update ${table} t set lock = null, lock_expires_at = null, worker = null, not_before = ${notBefore}, attempt = t.attempt - ${takesNone}::boolean::integer,
						lost = t.lost + ${isAtFault}::boolean::integer, given_back_by = case when ${isAtFault}::boolean then array_append(t.given_back_by, coalesce(t.worker, '')) else t.given_back_by end,
						given_back_at = case when ${isAtFault}::boolean then ${now} else t.given_back_at end
					from held where t.video_id = held.video_id returning t.video_id),
				${noteAttempts(late, sql`held`, now)}
				select video_id from waiting`);
			if (row !== undefined) return "waiting";
			while (!(await endAsFailed(await find(id, lock), retryable ? null : reason)));
			return "failed";
		},
		async endSpent() {
			const hasOutputs = sql`v.id = t.video_id and v.deleted_at is null and v.outputs is not null`;
			const isOver = sql`${isSpent} and ${isFree(new Date(clock.now()))}`;
			const spent = await database.query<{ id: string }>(
				sql`select t.${late.id} as id from ${table} t join reelmill.videos v on ${hasOutputs} where ${isOver} order by t.video_id limit 100`,
			);
			await eachApart(spent, { logger, task: "endSpent" }, async ({ id }) => {
				await endAsFailed(await find(id, null), null, isOver);
			});
			await database.query(
				sql`delete from ${table} t where not exists (select from reelmill.videos v where ${hasOutputs})`,
			);
		},
	};
	return jobs;
}
