import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { isReelmillError } from "@reelmill/client";
import type { CompleteRequest, FailRequest, Job } from "@reelmill/contracts";
import { type Logger, MediaError, makeMezzanine, process as processMedia, type Tools, type Transcriber } from "@reelmill/media";
import { deliver } from "./deliver.ts";
import type { Held, InternalPlane } from "./internal-plane.ts";
import { holdLease, type Lease } from "./lease.ts";
import { addOutro } from "./outro.ts";
import { isLockLost, persist, type Sleep } from "./retry.ts";
import { download } from "./source.ts";

export type JobContext = {
	readonly plane: InternalPlane;
	readonly workDirectory: string;
	readonly tools: Tools;
	readonly logger: Logger;
	readonly wait: Sleep;
	readonly heartbeatMilliseconds: number;
	readonly idleMilliseconds: number;
	readonly maxSeconds: number;
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

/** Fetch, process, deliver; what completes the job comes back. */
async function work(job: Job, folder: string, lease: Lease, signal: AbortSignal, context: JobContext): Promise<Omit<CompleteRequest, "lock">> {
	const { plane, tools, logger, wait, idleMilliseconds, maxSeconds, transcriber } = context;
	if (job.kind === "chunk") throw new Error(`This worker can't do jobs of the kind ${job.kind}.`);
	const source = join(folder, "source");
	const directory = join(folder, "outputs");
	await download({ request: (from, cut) => plane.source(job, from, cut), size: job.source.file_size, path: source, signal, wait, idleMilliseconds });
	const make = job.kind === "outro" ? makeMezzanine : processMedia;
	const made = await make({
		source,
		directory,
		job,
		tools,
		logger,
		signal,
		maxSeconds,
		transcriber,
		onProbe: ({ durationSeconds, width, height }) => lease.report(0, { duration_seconds: Math.round(durationSeconds * 1000) / 1000, width, height }),
		// The last percent is the delivery's.
		onProgress: (percent) => lease.report(Math.min(99, percent)),
	});
	const wantsOutro = job.plan.outro_id !== null && made.files.includes("web.mp4");
	const outro = wantsOutro ? await addOutro({ plane, job, folder, directory, tools, logger, signal, wait, idleMilliseconds, maxSeconds }) : null;
	const files = await deliver({ plane, job, directory, files: made.files, signal, wait, idleMilliseconds, logger });
	return {
		outputs: { files, renditions: made.renditions, has_outro: outro?.hasOutro ?? false },
		media: { ...made.media, transcript_status: made.transcript?.status ?? "disabled", language: made.transcript?.language ?? null },
		report: { ...made.report, ...(outro && { outro: outro.decision }) } as NonNullable<CompleteRequest["report"]>,
	};
}

/**
 * Does one claimed job from its source to its completion. Never rejects: a source at fault fails the job for good, anything else gives it back for another
 * attempt, a lost lock drops the work without a word to the server. In every case ffmpeg is gone and the job's folder removed when it resolves.
 */
export async function runJob(job: Job & Held, context: JobContext): Promise<void> {
	const { plane, wait, heartbeatMilliseconds } = context;
	const details = { job: job.id, attempt: job.attempt };
	const { logger } = context;
	const lease = holdLease({
		beat: (beat, signal) => plane.heartbeat(job, beat, signal),
		onTrouble: (error) => logger.warn({ ...details, cause: String(error) }, "a heartbeat failed; trying again while the lock lasts"),
		remaining: job.remaining,
		heartbeatMilliseconds,
		wait,
	});
	const signal = AbortSignal.any([lease.signal, context.signal]);
	const started = performance.now();
	let folder: string | undefined;
	try {
		folder = await mkdtemp(join(context.workDirectory, `job-${globalThis.process.pid}-`));
		const completion = await work(job, folder, lease, signal, context);
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
			logger.warn({ ...details, cause: String(lease.signal.reason ?? error) }, "job dropped: its lock is no longer held");
		} else {
			const failure = failureOf(error);
			if (error instanceof MediaError) logger.info({ ...details, ...failure }, "job failed: the source can't be processed");
			else logger.error({ ...details, ...failure, err: error }, "job given back");
			// Also while stopping: the job is then free for another worker at once. Not for longer than the lock lasts.
			const limit = AbortSignal.any([lease.signal, AbortSignal.timeout(context.signal.aborted ? 5000 : 60_000)]);
			await persist(() => plane.fail(job, failure, limit), { signal: limit, wait }).catch((cause: unknown) => {
				logger.warn({ ...details, cause: String(cause) }, "the server could not be told that the job failed; its lock will run out");
			});
		}
	} finally {
		await lease.release();
		if (folder !== undefined)
			await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
				logger.error({ ...details, err: error }, "the job's folder could not be removed"),
			);
	}
}
