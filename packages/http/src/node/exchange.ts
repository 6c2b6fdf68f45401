import type { IncomingMessage, ServerResponse } from "node:http";
import type { Span } from "@reelmill/engine";
import type { RequestContext } from "../request-context.ts";

/** One request on the raw planes, and the response that answers it. */
export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly requestId: string;
	/** What limits by address count the client by. */
	readonly clientKey: string;
	/** The client's address; `null` if there is none. */
	readonly clientAddress: string | null;
	/**
	 * The request target up to its query, as the client sent it: neither decoded nor normalised. It begins with another
	 * character than `/` if the target has no path.
	 */
	readonly path: string;
	readonly query: URLSearchParams;
	/** The Authorization header; `null` if there is none. */
	readonly authorization: string | null;
	/** The span of the request, if it is traced. */
	span?: Span;
	/** Whether the answer had to wait, because its client is over its bytes a second. */
	slowed?: boolean;
};

const noQuery = new URLSearchParams();
/**
 * The beginning of an absolute target. Its authority has characters of names, addresses and ports alone: with others,
 * such as `http://a;b/admin`, programs don't agree where the path begins, so that the target has none.
 */
const origin = /^https?:\/\/[\w.:[\]-]+(?=[/?]|$)/i;

export function exchangeOf(
	request: IncomingMessage,
	response: ServerResponse,
	{ requestId, clientKey, clientAddress }: RequestContext,
): Exchange {
	const sent = request.url ?? "/";
	const target = sent.startsWith("/") ? sent : sent.replace(origin, "");
	const end = target.indexOf("?");
	return {
		request,
		response,
		requestId,
		clientKey,
		clientAddress,
		path: (end === -1 ? target : target.slice(0, end)) || "/",
		query: end === -1 ? noQuery : new URLSearchParams(target.slice(end + 1)),
		authorization: request.headers.authorization ?? null,
	};
}
