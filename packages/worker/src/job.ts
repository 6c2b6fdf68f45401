import { join } from "node:path";
import { isReelmillError } from "@reelmill/client";
import type { CompleteRequest, FailRequest, Job } from "@reelmill/contracts";
import {
	type Logger,
	MediaError,
	makeMezzanine,
	type Playable,
	process as processMedia,
	type Tools,
	type Transcriber,
} from "@reelmill/media";
import { archive } from "./archive.ts";
import { workOnChunk } from "./chunk.ts";
import { openChunkWorkers } from "./chunk-workers.ts";
import { deliver } from "./deliver.ts";
import { type Finished, writeFinished } from "./finished-work.ts";
import type { Held, InternalPlane } from "./internal-plane.ts";
import { holdLease, type Lease } from "./lease.ts";
import { addOutro, lastAttempt } from "./outro.ts";
import { isLockLost, persist, type Sleep } from "./retry.ts";
import { download } from "./source.ts";
import { workOnTranscript } from "./transcript.ts";
import type { WorkDirectory } from "./work-directory.ts";

export type JobContext = {
	readonly plane: InternalPlane;
	readonly workDirectory: WorkDirectory;
	readonly tools: Tools;
	readonly logger: Logger;
	readonly wait: Sleep;
	readonly heartbeatMilliseconds: number;
	readonly idleMilliseconds: number;
	readonly maxSeconds: number;
	/** Of the machine, for one job. */
	readonly cores: number;
	/** Workers that one video may be spread over, this one included. */
	readonly chunkWorkers: number;
	readonly transcriber: Transcriber | undefined;
	/** Aborts when the worker must drop what it is doing. */
	readonly signal: AbortSignal;
};

/** Failures that another attempt would meet again. */
const finalCodes = ["file_not_found", "storage_backend_unsupported", "zip_too_large", "invalid_zip_entry"] as const;

function failureOf(error: unknown): Omit<FailRequest, "lock"> {
	const message = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
	if (error instanceof MediaError) return { reason: error.reason, retryable: false, message };
	if (isReelmillError(error, "file_not_found")) return { reason: "source_missing", retryable: false, message };
	return { reason: "storage_error", retryable: !finalCodes.some((code) => isReelmillError(error, code)), message };
}

/** Whether what an attempt finished is worth keeping for the next. */
const leavesWork = ({ kind }: Job): boolean => kind === "video" || kind === "outro";
/**
 * Strangers fill the sandbox, whose videos are those with a watermark: what reads them is confined wholly, or the job
 * is given back.
 */
const toolsOf = ({ plan }: Job, tools: Tools): Tools =>
	plan.watermark && tools.confinement !== "off" ? { ...tools, confinement: "required" } : tools;

/**
 * Whether nobody will work on the job again: its source is deleted. A job that was only taken away from this worker may
 * come back.
 */
const isOver = (job: Job, plane: InternalPlane): Promise<boolean> =>
	plane.source(job, 0, AbortSignal.timeout(10_000)).then(
		async ({ body }) => {
			await body?.cancel();
			return false;
		},
		(error: unknown) => isReelmillError(error, "file_not_found") || isReelmillError(error, "video_not_found"),
	);

export type Work = {
	readonly job: Job;
	readonly folder: string;
	readonly lease: Lease;
	readonly signal: AbortSignal;
	readonly context: JobContext;
};

/**
 * Lets what can be played be played already. That it can't be is no reason to fail: the outputs come whole in the end.
 */
async function show(files: readonly string[], { job, folder, signal, context }: Work): Promise<void> {
	const { plane, wait, logger } = context;
	// The tail card comes later, and with it another web.mp4.
	const kept = job.plan.outro_id === null ? files : files.filter((path) => path !== "web.mp4");
	try {
		await persist(() => plane.putOutputs(job, archive(join(folder, "outputs"), kept), signal, "playable"), {
			signal,
			wait,
		});
		logger.info({ job: job.id, attempt: job.attempt, files: kept.length }, "playable while AV1 is encoded");
	} catch (error) {
		signal.throwIfAborted();
		if (isLockLost(error)) throw error;
		logger.warn(
			{ job: job.id, attempt: job.attempt, cause: String(error) },
			"what can be played could not be delivered before the rest",
		);
	}
}

/** Fetches the source and makes the outputs. */
async function encode({ job, folder, lease, signal, context }: Work): Promise<Finished> {
	const { plane, tools, logger, wait, idleMilliseconds, maxSeconds, cores, transcriber, chunkWorkers } = context;
	const source = join(folder, "source");
	await download({
		request: (from, cut) => plane.source(job, from, cut),
		size: job.source.file_size,
		path: source,
		signal,
		wait,
		idleMilliseconds,
	});
	const make = job.kind === "outro" ? makeMezzanine : processMedia;
	const made = await make({
		source,
		directory: join(folder, "outputs"),
		job,
		tools,
		logger,
		signal,
		maxSeconds,
		cores,
		transcriber,
		chunkWorkers: openChunkWorkers({ plane, job, lease, most: chunkWorkers - 1, wait, idleMilliseconds }),
		onProbe: ({ durationSeconds, width, height }) =>
			lease.report(0, { duration_seconds: Math.round(durationSeconds * 1000) / 1000, width, height }),
		...(job.playable_first && {
			onPlayable: (playable: Playable) => show(playable.files, { job, folder, lease, signal, context }),
		}),
		// The last percent is the delivery's.
		onProgress: (percent) => lease.report(Math.min(99, percent)),
	});
	return { made, outro: null };
}

/** Makes what an attempt before didn't finish, and delivers; what completes the job comes back. */
async function work(
	given: Finished | null,
	{ job, folder, lease, signal, context }: Work,
): Promise<Omit<CompleteRequest, "lock">> {
	const { plane, tools, logger, wait, idleMilliseconds, maxSeconds } = context;
	const directory = join(folder, "outputs");
	let finished = given;
	if (finished === null) {
		finished = await encode({ job, folder, lease, signal, context });
		await writeFinished(folder, job, finished);
	} else {
		const { duration_seconds, width, height } = finished.made.media;
		lease.report(99, { duration_seconds, width, height });
		logger.info(
			{ job: job.id, attempt: job.attempt },
			"an attempt before this one had finished encoding: its outputs are delivered",
		);
	}
	if (finished.outro === null && job.plan.outro_id !== null && finished.made.files.includes("web.mp4")) {
		const outro = await addOutro({
			plane,
			job,
			folder,
			directory,
			tools,
			logger,
			signal,
			wait,
			idleMilliseconds,
			maxSeconds,
		});
		finished = { ...finished, outro };
		await writeFinished(folder, job, finished);
	}
	const { made, outro } = finished;
	const decisions = [
		...(made.report.decisions as object[]),
		...(outro === null ? [] : [{ about: "outro", ...outro.decision }]),
	];
	const files = await deliver({ plane, job, directory, files: made.files, signal, wait, idleMilliseconds, logger });
	return {
		outputs: { files, renditions: made.renditions, has_outro: outro?.hasOutro ?? false },
		media: {
			...made.media,
			transcript_status: made.transcript?.status ?? "disabled",
			language: made.transcript?.language ?? null,
		},
		report: { ...made.report, decisions } as NonNullable<CompleteRequest["report"]>,
	};
}

/**
 * Does one claimed job from its source to its completion. Never rejects: a source at fault fails the job for good,
 * anything else gives it back for another attempt, a lost lock drops the work without a word to the server. In every
 * case ffmpeg is gone when it resolves, and the job's folder removed; but outputs that are finished stay for another
 * attempt, where there may be one.
 */
export async function runJob(job: Job & Held, given: JobContext): Promise<void> {
	const context = { ...given, tools: toolsOf(job, given.tools) };
	const { plane, wait, heartbeatMilliseconds } = context;
	const details = { job: job.id, attempt: job.attempt };
	const { logger } = context;
	const lease = holdLease({
		beat: (beat, signal) => plane.heartbeat(job, beat, signal),
		onTrouble: (error) =>
			logger.warn({ ...details, cause: String(error) }, "a heartbeat failed; trying again while the lock lasts"),
		remaining: job.remaining,
		heartbeatMilliseconds,
		wait,
	});
	const signal = AbortSignal.any([lease.signal, context.signal]);
	const started = performance.now();
	let folder: string | undefined;
	let keep = false;
	try {
		const opened = await context.workDirectory.open(job);
		folder = opened.folder;
		const doing = { job, folder, lease, signal, context };
		const completion = job.chunk
			? await workOnChunk(job.chunk, doing)
			: job.transcript
				? await workOnTranscript(job.transcript, doing)
				: await work(opened.finished, doing);
		await persist(
			(attempt) =>
				plane.complete(job, completion, signal).catch((error: unknown) => {
					// The answer to an earlier try was lost, the completion was not.
					if (attempt === 1 || !isReelmillError(error, "invalid_video_state")) throw error;
				}),
			{ signal, wait },
		);
		logger.info({ ...details, seconds: Math.round(performance.now() - started) / 1000 }, "job completed");
	} catch (error) {
		if (lease.signal.aborted || isLockLost(error)) {
			logger.warn(
				{ ...details, cause: String(lease.signal.reason ?? error) },
				"job dropped: its lock is no longer held",
			);
			keep = leavesWork(job) && job.attempt < lastAttempt && !(await isOver(job, plane));
		} else {
			const failure = failureOf(error);
			keep = leavesWork(job) && failure.retryable && job.attempt < lastAttempt;
			if (error instanceof MediaError)
				logger.info({ ...details, ...failure }, "job failed: the source can't be processed");
			else logger.error({ ...details, ...failure, err: error }, "job given back");
			// Also while stopping: the job is then free for another worker at once. Not for longer than the lock lasts.
			const limit = AbortSignal.any([lease.signal, AbortSignal.timeout(context.signal.aborted ? 5000 : 60_000)]);
			await persist(() => plane.fail(job, failure, limit), { signal: limit, wait }).catch((cause: unknown) => {
				logger.warn(
					{ ...details, cause: String(cause) },
					"the server could not be told that the job failed; its lock will run out",
				);
			});
		}
	} finally {
		await lease.release();
		if (folder !== undefined)
			await context.workDirectory
				.close(folder, keep)
				.catch((error: unknown) => logger.error({ ...details, err: error }, "the job's folder could not be removed"));
	}
}
