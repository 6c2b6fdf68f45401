import { type ErrorCode, errorHeaders, internalUnavailable, isReelmillError, ReelmillError } from "@reelmill/contracts";
import { unavailableIn } from "@reelmill/engine";

/** An error as the client receives it. */
export type Problem = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: { readonly error: ErrorCode; readonly message: string };
};

/** How soon a retry makes sense: the server notices working storage earlier, and a failover takes no longer. */
const unavailableSeconds = 5;

/**
 * Returns the answer to a failure. Any error but a {@link ReelmillError} becomes `internal_error`, which tells nothing
 * about the cause: a 503 if the database, a disk or file descriptors are missing for a while, otherwise a 500. A
 * `retryAfter` is also sent as the Retry-After header, in seconds from `now` (milliseconds since the epoch), rounded
 * up. Every 503 has that header.
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
