import { isReelmillError } from "@reelmill/client";
import type { Logger } from "@reelmill/media";
import type { Bounds } from "./bounds.ts";
import type { Health } from "./health/health.ts";
import type { WorkerParts } from "./job/attempt.ts";
import { runJob } from "./job/run-job.ts";
import { backoff } from "./retry.ts";
import type { Claim } from "./service-client/jobs.ts";

export type ClaimLoopOptions = {
	/** The worker's name. */
	readonly name: string;
	readonly claim: Claim;
	readonly parts: WorkerParts;
	readonly trouble: Trouble;
	readonly health: Health;
	readonly bounds: Bounds;
	/** Aborts when no further job is to be claimed. */
	readonly stopping: AbortSignal;
	/** Aborts when the worker is stopped: a claim that is under way is then given up, but not if the worker ends by itself. */
	readonly stopped: AbortSignal;
	/** Aborts when running jobs must be dropped. */
	readonly dropped: AbortSignal;
};

/** The pause after a refused token: the server refuses it again for a while, and tokens are rate-limited. */
const refusedMilliseconds = 60_000;
/** Of workers that wait for the same moment, not all ask at once. */
const spreadMilliseconds = 5000;
const isRefusal = (error: unknown): boolean => isReelmillError(error) && [401, 403, 429].includes(error.status);

/** A claim that came back sooner without a job was not held open by the server. */
const shortClaimMilliseconds = 500;

/**
 * Claims jobs and runs them, one after the other, until `stopping` aborts or `bounds` leave no place. Claims none while
 * the worker is ill. Never rejects.
 */
export async function claimJobs(options: ClaimLoopOptions): Promise<void> {
	const { name, claim, parts, trouble, health, bounds, stopping, stopped, dropped } = options;
	const { service, wait } = parts;
	let pausedMilliseconds = 0;
	for (let failures = 0; !stopping.aborted; ) {
		await health.ready(stopping);
		if (stopping.aborted || !bounds.take()) return;
		const started = performance.now();
		try {
			const job = await service.claim(name, { ...claim, waitSeconds: bounds.waitSeconds(claim.waitSeconds) }, stopped);
			failures = 0;
			pausedMilliseconds = 0;
			trouble.report(null);
			if (job !== null) {
				const fault = await runJob(job, parts, dropped);
				if (fault !== undefined) health.note(fault);
				bounds.noteJob(fault);
			} else {
				bounds.noteNoJob();
				if (performance.now() - started < shortClaimMilliseconds) await wait(1000, stopping);
			}
		} catch (error) {
			if (stopping.aborted) return;
			failures += 1;
			const until = retryMomentOf(error);
			const pause =
				until !== null
					? Math.max(0, service.until(until)) + Math.random() * spreadMilliseconds
					: isRefusal(error)
						? refusedMilliseconds
						: backoff(failures);
			if (until !== null) trouble.wait(until);
			else trouble.report(error);
			pausedMilliseconds += pause;
			bounds.noteFailure(error, pausedMilliseconds);
			await wait(pause, stopping);
		}
	}
}

/** Returns when the server lets a worker ask again, if it said so: a moment of its clock. */
function retryMomentOf(error: unknown): string | null {
	if (!isReelmillError(error, "rate_limited")) return null;
	const { retryAfter } = error.extras as { retryAfter?: unknown };
	return typeof retryAfter === "string" && !Number.isNaN(Date.parse(retryAfter)) ? retryAfter : null;
}

/** What keeps a worker from claiming jobs. */
export type Trouble = {
	/** Logs the error, or with null that it has passed. Logs it once, however many attempts and loops report it. */
	report(error: unknown): void;
	/** Logs that the server tells the worker to wait until this moment. Logs each moment once. */
	wait(until: string): void;
	/** Whether a claim succeeded, and none failed since. */
	isOver(): boolean;
};

export function createTrouble(logger: Logger): Trouble {
	let known: string | null = null;
	let claimed = false;
	return {
		wait(until) {
			if (until === known) return;
			known = until;
			logger.warn(
				{ until },
				`the server gives out no more tokens here for now: this worker waits until ${until}. Transcoders behind one ` +
					"address share its tokens, unless REELMILL_WORKER_CIDRS of the server names their network",
			);
		},
		isOver: () => claimed && known === null,
		report(error) {
			const cause = error === null ? null : error instanceof Error ? error.message : String(error);
			claimed ||= cause === null;
			if (cause === known) return;
			if (cause !== null) logger.warn({ cause }, "jobs can't be claimed; trying again");
			else logger.info({}, "jobs can be claimed again");
			known = cause;
		},
	};
}
