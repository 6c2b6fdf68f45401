import { type ErrorCode, errorHeaders, internalUnavailable, isReelmillError, ReelmillError } from "@reelmill/contracts";
import { unavailableIn } from "@reelmill/engine";

/** An error as it goes over the wire. */
export type Problem = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: { readonly error: ErrorCode; readonly message: string };
};

/** A storage that works again is noted sooner, and a database that has failed over takes no longer. */
const unavailableSeconds = 5;

/**
 * The answer to a failure. Anything but a {@link ReelmillError} is `internal_error` that tells nothing of its cause: a
 * 503 where that is a database, a disk or descriptors that are missing for a while, else a 500. A `retryAfter` becomes
 * the Retry-After header too, in seconds from `now` (milliseconds since the epoch), rounded up; every 503 has one as
 * well.
 */
export function problemOf(error: unknown, now: number): Problem {
	const known = isReelmillError(error) && error.status !== 500 ? error : failureOf(error);
	const retryAfter = "retryAfter" in known.extras ? known.extras.retryAfter : undefined;
	const headers: Record<string, string> = {
		"content-type": "application/json; charset=utf-8",
		...errorHeaders(known.status),
	};
	if (retryAfter !== undefined)
		headers["retry-after"] = String(Math.max(0, Math.ceil((Date.parse(retryAfter) - now) / 1000)));
	else if (known.status === 503) headers["retry-after"] = String(unavailableSeconds);
	return { status: known.status, headers, body: { error: known.code, message: known.message, ...known.extras } };
}

const failureOf = (error: unknown): ReelmillError =>
	unavailableIn(error) === null
		? new ReelmillError("internal_error")
		: new ReelmillError("internal_error", { status: 503, message: internalUnavailable });
