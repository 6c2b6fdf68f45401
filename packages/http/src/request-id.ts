import type { Random } from "@reelmill/engine";
import type { SendReply } from "./json/reply.ts";

export type RequestIdOf = (sent: string | null | undefined) => string;

/**
 * The request's own `x-request-id` where it is well formed, else a new one: random, so that it tells nothing of the
 * server or of how many requests it had.
 */
export function createRequestIdOf(random: Random): RequestIdOf {
	return (sent) => {
		// Node leaves the blanks at a value's end, which are none of it (RFC 9110, section 5.5).
		const id = sent?.trim();
		return id !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : random.uuid();
	};
}

/** What is known of a request beside itself: its id, and by what its client is counted. */
export type RequestContext = { readonly requestId: string; readonly clientKey: string; readonly reply?: SendReply };
export type RequestEnv = { Bindings: RequestContext };
