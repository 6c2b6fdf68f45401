import { join } from "node:path";
import { isReelmillError } from "@reelmill/client";
import type { Job } from "@reelmill/contracts";
import { measureSteps, type Tools, type TracedSpan } from "@reelmill/media";
import type { OwnFault } from "../health/own-fault.ts";
import { persist } from "../retry.ts";
import type { Remaining } from "../service-client/jobs.ts";
import type { FinishedOutputs } from "../work-directory/finished-outputs.ts";
import { type Attempt, type Completion, fetchSource, mayMoveOn, type WorkerParts } from "./attempt.ts";
import { workOnChunk } from "./chunk-job.ts";
import { workOnClip } from "./clip-job.ts";
import { type EndedJob, encodeSpeedOf, warningsOf } from "./ended-job.ts";
import { endFailedAttempt } from "./failure.ts";
import { jobLogger } from "./job-logger.ts";
import { holdLock, type JobLock } from "./lock.ts";
import { workOnPoster } from "./poster-job.ts";
import { workOnTranscript } from "./transcript-job.ts";
import { resumeVideo, workOnVideo } from "./video-job.ts";

/**
 * Does one claimed job from its source to its completion. Never rejects. A source at fault fails the job for good; any
 * other failure gives the job back for another attempt; a lost lock drops the work without a request to the server.
 * When it resolves, ffmpeg has ended and the job's folder is removed. Finished outputs stay if another attempt may need
 * them. `dropped` aborts when the worker must stop.
 *
 * Resolves with what is wrong with this worker if that ended the attempt; with `null` if the worker could work; with
 * undefined if the attempt doesn't tell.
 */
export function runJob(
	job: Job & Remaining,
	shared: WorkerParts,
	dropped: AbortSignal,
): Promise<OwnFault | null | undefined> {
	const parts = { ...shared, logger: jobLogger(shared.logger, job) };
	parts.logger.info({ bytes: job.source.file_size }, "job claimed");
	const attempt = (span?: TracedSpan) => run(job, parts, dropped, span);
	if (parts.tracer === undefined) return attempt();
	const { chunk, transcript, poster } = job;
	const attributes = {
		"reelmill.job.kind": job.kind,
		"reelmill.job.attempt": job.attempt,
		...(chunk === null && transcript === null && poster === undefined && { "reelmill.video.id": job.id }),
	};
	const options = { kind: "consumer", parent: job.traceparent ?? null, attributes } as const;
	return parts.tracer.span(`job ${job.kind}`, options, attempt);
}

async function run(
	job: Job & Remaining,
	parts: WorkerParts,
	dropped: AbortSignal,
	span?: TracedSpan,
): Promise<OwnFault | null | undefined> {
	const { workDirectory, logger } = parts;
	const started = performance.now();
	const lock = holdJobLock(job, parts);
	const signal = AbortSignal.any([lock.signal, dropped]);
	let folder: string | undefined;
	let keepsOutputs = false;
	let ownFault: OwnFault | null | undefined = null;
	let outcome: EndedJob["outcome"] = "completed";
	let encodeSpeed: number | null = null;
	let warnings: EndedJob["warnings"] = [];
	parts.jobs.add(job);
	try {
		const opened = await workDirectory.open(job);
		folder = opened.folder;
		const outputs = join(folder, "outputs");
		const attempt = { ...parts, tools: toolsFor(job, parts.tools), job, folder, outputs, lock, signal };
		const completion = await work(opened.finished, attempt);
		await complete(completion, attempt);
		if (opened.finished === null && job.kind !== "chunk" && job.clip === undefined)
			encodeSpeed = encodeSpeedOf(completion);
		warnings = warningsOf(completion);
		logger.info({ seconds: Math.round(performance.now() - started) / 1000 }, "job completed");
	} catch (error) {
		span?.fail(isReelmillError(error) ? error.code : error instanceof Error ? error.name : "failed");
		({ outcome, keepsOutputs, ownFault } = await endFailedAttempt(error, { job, lock, dropped, parts }));
	} finally {
		await lock.release();
		parts.jobs.delete(job);
		const seconds = (performance.now() - started) / 1000;
		parts.onJobEnded?.({ kind: job.kind, outcome, seconds, encodeSpeed, warnings });
		if (folder !== undefined)
			await workDirectory
				.close(folder, keepsOutputs)
				.catch((error: unknown) => logger.error({ err: error }, "the job's folder could not be removed"));
	}
	return ownFault;
}

const holdJobLock = (job: Job & Remaining, { service, logger, wait, heartbeatMilliseconds }: WorkerParts): JobLock =>
	holdLock({
		beat: async (beat, signal) => {
			const renewed = await service.heartbeat(job, beat, signal);
			logger.debug({ progress: beat.progress }, "job in progress");
			return renewed;
		},
		onTrouble: (error) =>
			logger.warn({ cause: String(error) }, "a heartbeat failed; trying again while the lock lasts"),
		remaining: job.remaining,
		heartbeatMilliseconds,
		wait,
	});

/**
 * Strangers upload the sandbox's videos, which are the ones with a watermark. Such a job is given back if ffmpeg can't
 * be confined, unless the operator has switched the confinement off.
 */
const toolsFor = ({ plan }: Job, tools: Tools): Tools =>
	plan.watermark && tools.confinement !== "off" ? { ...tools, confinement: "required" } : tools;

/** Makes and sends what the job asks for. Only outputs of a video or an outro can be finished by an earlier attempt. */
async function work(finished: FinishedOutputs | null, attempt: Attempt): Promise<Completion> {
	if (finished !== null) return resumeVideo(finished, attempt);
	await checkTranscriber(attempt);
	const { chunk, transcript, clip, poster } = attempt.job;
	if (clip) return workOnClip(clip, attempt);
	if (poster) return workOnPoster(poster, attempt);
	const { measure, steps } = measureSteps();
	const source = await measure("fetch", () => fetchSource(attempt));
	if (chunk) return workOnChunk(chunk, source, attempt);
	if (transcript) return workOnTranscript(transcript, source, attempt);
	return workOnVideo(source, steps, attempt);
}

/**
 * Rejects if the job wants a transcript and what makes it here is gone, so that another worker can have the job: once
 * the video is encoded it is too late.
 */
async function checkTranscriber({ job, transcriber }: Attempt): Promise<void> {
	const isWanted = job.transcript !== null || (job.plan.transcript && mayMoveOn(job));
	if (isWanted) await transcriber?.check?.();
}

async function complete(completion: Completion, { service, job, signal, wait }: Attempt): Promise<void> {
	const request = (attempt: number) =>
		service.complete(job, completion, signal).catch((error: unknown) => {
			// The server completed the job at an earlier attempt, whose answer was lost.
			if (attempt === 1 || !isReelmillError(error, "invalid_video_state")) throw error;
		});
	await persist(request, { signal, wait });
}
