import { errors, type ReelmillError } from "@reelmill/contracts/errors";

export type RetryOptions = {
	/** Tries after the first; 3 unless told, 0 for none. */
	limit?: number;
	/** Wait before the first retry, in seconds; doubled for each further one, up to 10 s. 0.3 unless told. */
	backoffSeconds?: number;
	/**
	 * A server that asks for a longer wait than this, in seconds, is not retried: the error is thrown at once. 60 unless
	 * told.
	 */
	longestWaitSeconds?: number;
};

export const retryDefaults = { limit: 3, backoffSeconds: 0.3, longestWaitSeconds: 60 } satisfies Required<RetryOptions>;

/**
 * Methods whose effect is the same done twice: only these are sent again when it is unknown whether the first had one.
 */
export const idempotentMethods = ["GET", "HEAD", "PUT", "DELETE"];

/**
 * Whether sending the same call again is safe and can help. The catalogue says which codes can; quota codes never do.
 * `internal_error` does not say that nothing happened, so a call that is not idempotent is not repeated after it.
 */
export function mayRetry(error: ReelmillError, method: string): boolean {
	if (error.code === "internal_error") return isTransient(error.status) && idempotentMethods.includes(method);
	return errors[error.code].retryable;
}

/** Statuses that, without a code of the catalogue to say more (a proxy's answer), tell that later may be better. */
export const isTransient = (status: number): boolean => status >= 500 || [408, 423, 425, 429].includes(status);

/**
 * Seconds before retry number `retry` (from 1), with up to a fifth taken off at random so that clients do not march in
 * step.
 */
export function backoffSeconds(retry: number, first: number): number {
	return Math.min(10, first * 2 ** (retry - 1)) * (1 - Math.random() / 5);
}

/**
 * Seconds that the answer asks to wait, or undefined where it does not: `Retry-After` where it can be read (seconds or
 * a date), else the body's `retryAfter`. Never negative.
 */
export function secondsUntilRetry(
	header: string | null | undefined,
	retryAfter: unknown,
	now: () => number = Date.now,
): number | undefined {
	if (header && /^\d+$/.test(header.trim())) return Number(header);
	const moment = [header, retryAfter]
		.map((text) => (typeof text === "string" ? Date.parse(text) : Number.NaN))
		.find(Number.isFinite);
	return moment === undefined ? undefined : Math.max(0, (moment - now()) / 1000);
}
