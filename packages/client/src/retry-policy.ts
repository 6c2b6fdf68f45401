import { errors, isReelmillError, type ReelmillError } from "@reelmill/contracts/errors";
import { ConnectionError } from "./connection-error.ts";

/** Why an attempt failed, and after how many seconds its answer says to try again. */
export type CallFailure = { readonly error: Error; readonly retryAfterSeconds?: number | undefined };

/** How often, and after how long, a call is tried again. */
export type RetryOptions = {
	/** How many times a call is retried; 0 for never (default: 3). */
	limit?: number;
	/** Seconds before the first retry (default: 0.3). The wait doubles for each further one, up to 10 s. */
	backoffSeconds?: number;
	/** How many seconds a server may ask to wait (default: 60). If it asks for more, the error is thrown at once. */
	longestWaitSeconds?: number;
};

export const retryDefaults = { limit: 3, backoffSeconds: 0.3, longestWaitSeconds: 60 } satisfies Required<RetryOptions>;

/**
 * Methods that have the same effect twice as once. Only they, and creations under a key, are repeated if it is unknown
 * whether they had one.
 */
export const idempotentMethods = ["GET", "HEAD", "PUT", "DELETE"];

/**
 * Returns the seconds to wait before a retry, whose number counts from 1; `null` if none is safe or can help. The
 * catalogue says so for each code; for quota codes it never does. After `internal_error`, or without an answer, the
 * call may have had its effect, so only a repeatable one is sent again. After an error of another kind, such as an
 * observer's, none is.
 */
export function secondsBeforeRetry(
	{ error, retryAfterSeconds = 0 }: CallFailure,
	retry: number,
	isRepeatable: boolean,
	{ backoffSeconds: first, longestWaitSeconds }: Required<RetryOptions>,
): number | null {
	const helps = isReelmillError(error)
		? mayHelp(error, isRepeatable)
		: error instanceof ConnectionError && isRepeatable;
	if (!helps || retryAfterSeconds > longestWaitSeconds) return null;
	return Math.max(retryAfterSeconds, backoffSeconds(retry, first));
}

function mayHelp({ code, status }: ReelmillError, isRepeatable: boolean): boolean {
	return code === "internal_error" ? isTransient(status) && isRepeatable : errors[code].retryable;
}

/** Tells whether a status without a known code, such as a proxy's, means that a later attempt may succeed. */
export const isTransient = (status: number): boolean => status >= 500 || [408, 423, 425, 429].includes(status);

/**
 * Returns the seconds before a retry, whose number counts from 1. Up to a fifth is taken off at random, so that clients
 * do not all retry at the same moment.
 */
export function backoffSeconds(retry: number, first: number): number {
	return Math.min(10, first * 2 ** (retry - 1)) * (1 - Math.random() / 5);
}

/**
 * Returns the seconds that an answer asks to wait, never less than 0; undefined if it does not ask. `Retry-After`
 * (seconds or a date) comes first, then the body's `retryAfter`.
 * @param now returns the Unix time in milliseconds (default: `Date.now`)
 * @example
 * ```ts
 * import { secondsUntilRetry } from "@reelmill/client";
 *
 * console.log(secondsUntilRetry("30", undefined)); // => 30
 * const noon = Date.parse("2026-01-31T12:00:00.000Z");
 * console.log(secondsUntilRetry(null, "2026-01-31T12:00:05.000Z", () => noon)); // => 5
 * ```
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
