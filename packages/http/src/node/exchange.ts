import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestContext } from "../request-id.ts";

/** One request on the raw planes and what answers it. */
export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly requestId: string;
	/** By what the client is counted where a limit is kept by address. */
	readonly clientKey: string;
	/** The request target up to its query, as it was sent: not decoded, not normalised. */
	readonly path: string;
	readonly query: URLSearchParams;
	/** The Authorization header, or null. */
	readonly authorization: string | null;
};
/** Answers an exchange, or throws before it has sent anything. */
export type Plane = (exchange: Exchange) => Promise<void>;

export function exchangeOf(request: IncomingMessage, response: ServerResponse, { requestId, clientKey }: RequestContext): Exchange {
	const target = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
	const [path = "/", ...rest] = target.split("?");
	return { request, response, requestId, clientKey, path, query: new URLSearchParams(rest.join("?")), authorization: request.headers.authorization ?? null };
}
