import { setTimeout } from "node:timers/promises";
import { ConnectionError, isReelmillError } from "@reelmill/client";
import pRetry from "p-retry";

/** Resolves after so many milliseconds, or at once when the signal aborts. It never rejects. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const sleep: Sleep = (milliseconds, signal) =>
	setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);

/**
 * Returns the milliseconds to wait after so many consecutive failures: 500, doubled with each failure up to 10,000, of
 * which up to a fifth is taken away at random.
 */
export const backoff = (failures: number): number =>
	Math.min(10_000, 500 * 2 ** Math.min(failures - 1, 10)) * (0.8 + Math.random() * 0.2);

/** The server gave no answer, or it or its storage is in trouble: the same request may succeed later. */
const isTransient = (error: unknown): boolean =>
	error instanceof ConnectionError ||
	(isReelmillError(error) &&
		(error.status >= 500 || error.code === "rate_limited") &&
		error.code !== "storage_backend_unsupported");

/** Returns whether the worker has lost the job: another worker took it over, or it was cancelled or deleted. */
export const isLockLost = (error: unknown): boolean =>
	isReelmillError(error, "not_lock_holder") ||
	isReelmillError(error, "invalid_video_state") ||
	isReelmillError(error, "video_not_found");

/**
 * Repeats a request until it succeeds, and returns its result. `attempt` counts from 1. Rejects with an error that a
 * repetition doesn't mend, or with the signal's reason when the signal aborts.
 */
export async function persist<T>(
	request: (attempt: number) => Promise<T>,
	{ signal, wait }: { readonly signal: AbortSignal; readonly wait: Sleep },
): Promise<T> {
	return pRetry(request, {
		retries: Number.POSITIVE_INFINITY,
		// The pause is made by `wait`, which a test may shorten.
		minTimeout: 0,
		signal,
		async onFailedAttempt({ error, attemptNumber }) {
			if (!isTransient(error)) throw error;
			await wait(backoff(attemptNumber), signal);
		},
	});
}
