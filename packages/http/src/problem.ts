import { type ErrorCode, errorHeaders, isReelmillError, ReelmillError } from "@reelmill/contracts";

/** An error as it goes over the wire. */
export type Problem = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: { readonly error: ErrorCode; readonly message: string };
};

/** A storage that works again is noted sooner. */
const storageSeconds = 5;

/**
 * The answer to a failure. Anything but a {@link ReelmillError} is a 500 `internal_error` that tells nothing of its cause.
 * A `retryAfter` becomes the Retry-After header too, in seconds from `now` (milliseconds since the epoch), rounded up; `storage_unavailable` has one as well.
 */
export function problemOf(error: unknown, now: number): Problem {
	const known = isReelmillError(error) && error.status !== 500 ? error : new ReelmillError("internal_error");
	const retryAfter = "retryAfter" in known.extras ? known.extras.retryAfter : undefined;
	const headers: Record<string, string> = { "content-type": "application/json; charset=utf-8", ...errorHeaders(known.status) };
	if (retryAfter !== undefined) headers["retry-after"] = String(Math.max(0, Math.ceil((Date.parse(retryAfter) - now) / 1000)));
	else if (known.code === "storage_unavailable") headers["retry-after"] = String(storageSeconds);
	return { status: known.status, headers, body: { error: known.code, message: known.message, ...known.extras } };
}
