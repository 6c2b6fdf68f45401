import { isReelmillError } from "@reelmill/client";
import type { FailRequest, Job } from "@reelmill/contracts";
import { MediaError } from "@reelmill/media";
import { type OwnFault, ownFaultOf } from "../health/own-fault.ts";
import { isLockLost, persist } from "../retry.ts";
import type { ServiceClient } from "../service-client/service-client.ts";
import { isLastAttempt, type WorkerParts } from "./attempt.ts";
import type { EndedJob } from "./ended-job.ts";
import type { JobLock } from "./lock.ts";

/** Every attempt would get one of these codes. */
const finalCodes = ["file_not_found", "storage_backend_unsupported", "zip_too_large", "invalid_zip_entry"] as const;

type Failed = {
	readonly job: Job;
	readonly lock: JobLock;
	/** Aborts when the worker drops its jobs. */
	readonly dropped: AbortSignal;
	readonly parts: WorkerParts;
};

/** How an attempt ended, and whether its finished outputs are to be kept for another one. */
type FailedAttempt = {
	readonly outcome: EndedJob["outcome"];
	readonly keepsOutputs: boolean;
	/** What is wrong with this worker; `null` if the job was at fault, undefined if neither was. */
	readonly ownFault?: OwnFault | null | undefined;
};

/**
 * Ends an attempt that failed: reports the failure to the server, or nothing if the lock is lost. Never rejects.
 */
export async function endFailedAttempt(error: unknown, { job, lock, dropped, parts }: Failed): Promise<FailedAttempt> {
	const { service, logger, wait } = parts;
	const isResumable = job.kind === "video" || job.kind === "outro";
	if (lock.signal.aborted || isLockLost(error)) {
		logger.warn({ cause: String(lock.signal.reason ?? error) }, "job dropped: its lock is no longer held");
		return { outcome: "dropped", keepsOutputs: isResumable && !(await isSourceGone(job, service)) };
	}
	const ownFault = error === dropped.reason ? undefined : ownFaultOf(error);
	const failure = { ...failureOf(error, dropped), ...(ownFault && { worker_fault: ownFault.code }) };
	if (failure.stopped) logger.info({}, "job given back: the worker stops");
	else if (error instanceof MediaError) logger.info(failure, "job failed: the source can't be processed");
	else logger.error({ ...failure, err: error }, "job given back");
	// A stopping worker reports as well, so that another worker can have the job at once.
	const signal = AbortSignal.any([lock.signal, AbortSignal.timeout(dropped.aborted ? 5000 : 60_000)]);
	const probe = error instanceof MediaError ? (error.size ?? lock.unsent()) : undefined;
	const tell = async () => {
		// A video that is too long or too large shows what was measured. What the server says to that changes no failure.
		if (probe !== undefined)
			await service.heartbeat(job, { progress: 0, probe }, signal).catch((cause: unknown) => {
				if (!isReelmillError(cause)) throw cause;
			});
		return service.fail(job, failure, signal);
	};
	await persist(tell, { signal, wait }).catch((cause: unknown) => {
		// Whoever deletes a video, or asks for another poster, ends the job as well.
		if (isLockLost(cause))
			return logger.info({ cause: String(cause) }, "the job had ended before its failure was told");
		logger.warn({ cause: String(cause) }, "the server could not be told that the job failed; its lock will run out");
	});
	const comesBack = failure.stopped === true || (ownFault ? ownFault.code !== "disk_full" : !isLastAttempt(job));
	const keepsOutputs = isResumable && failure.retryable && comesBack;
	return { outcome: error instanceof MediaError ? "failed" : "given_back", keepsOutputs, ownFault };
}

function failureOf(error: unknown, dropped: AbortSignal): Omit<FailRequest, "lock"> {
	const message = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
	if (error === dropped.reason) return { reason: "storage_error", retryable: true, stopped: true, message };
	if (error instanceof MediaError) return { reason: error.reason, retryable: false, message };
	if (isReelmillError(error, "file_not_found")) return { reason: "source_missing", retryable: false, message };
	return { reason: "storage_error", retryable: !finalCodes.some((code) => isReelmillError(error, code)), message };
}

/**
 * Returns whether the job's source is deleted, so that no worker will get the job again. A job that another worker took
 * over may come back.
 */
const isSourceGone = (job: Job, service: ServiceClient): Promise<boolean> =>
	service.source(job, 0, AbortSignal.timeout(10_000)).then(
		async ({ body }) => {
			await body?.cancel();
			return false;
		},
		(error: unknown) => isReelmillError(error, "file_not_found") || isReelmillError(error, "video_not_found"),
	);
