import { requestIdPattern } from "@reelmill/contracts";
import type { Random } from "@reelmill/engine";
import type { SendReply } from "./reply.ts";

export type RequestIdOf = (sent: string | null | undefined) => string;

/**
 * Creates a function that returns the id of a request: its own `x-request-id` if that is well formed, otherwise a
 * random one, which tells nothing about the server or about how many requests it had.
 */
export function createRequestIdOf(random: Random): RequestIdOf {
	return (sent) => {
		// Node keeps blanks at the end of a header's value, although they are not part of it (RFC 9110, section 5.5).
		const id = sent?.trim();
		return id !== undefined && requestIdPattern.test(id) ? id : random.uuid();
	};
}

/**
 * What the server knows about a request besides the request itself. `clientKey` is what rate limits count the client
 * by, `clientAddress` its address, `null` if there is none. `reply` sends an answer on the raw server; it is undefined
 * if there is none.
 */
export type RequestContext = {
	readonly requestId: string;
	readonly clientKey: string;
	readonly clientAddress: string | null;
	readonly reply?: SendReply;
};
export type RequestEnv = { Bindings: RequestContext };
