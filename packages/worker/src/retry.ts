import { ConnectionError, isReelmillError } from "@reelmill/client";

/** Resolves after so many milliseconds, or at once when the signal aborts; it never rejects. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const sleep: Sleep = (milliseconds, signal) =>
	new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", done);
			resolve();
		};
		const timer = setTimeout(done, milliseconds);
		signal?.addEventListener("abort", done, { once: true });
		if (signal?.aborted) done();
	});

/**
 * Milliseconds before the next try after so many failures in a row: half a second, doubled up to ten, with a fifth of
 * chance.
 */
export const backoff = (failures: number): number =>
	Math.min(10_000, 500 * 2 ** Math.min(failures - 1, 10)) * (0.8 + Math.random() * 0.2);

/** No answer, or one that says that the server or its storage is in trouble: the same request may go through later. */
const isTransient = (error: unknown): boolean =>
	error instanceof ConnectionError ||
	(isReelmillError(error) &&
		(error.status >= 500 || error.code === "rate_limited") &&
		error.code !== "storage_backend_unsupported");

/** The job is no longer this worker's: another took it over, or it was cancelled or deleted. */
export const isLockLost = (error: unknown): boolean =>
	isReelmillError(error, "not_lock_holder") ||
	isReelmillError(error, "invalid_video_state") ||
	isReelmillError(error, "video_not_found");

/**
 * Repeats a request until it goes through, fails for a reason that stays, or the signal aborts (it then rejects with
 * the signal's reason). `attempt` counts from 1.
 */
export async function persist<T>(
	request: (attempt: number) => Promise<T>,
	{ signal, wait }: { signal: AbortSignal; wait: Sleep },
): Promise<T> {
	for (let attempt = 1; ; attempt += 1) {
		signal.throwIfAborted();
		try {
			return await request(attempt);
		} catch (error) {
			signal.throwIfAborted();
			if (!isTransient(error)) throw error;
			await wait(backoff(attempt), signal);
		}
	}
}
