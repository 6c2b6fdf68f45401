import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type { Problem } from "../problem.ts";
import type { Exchange } from "./exchange.ts";

type Answer = {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array | null;
};
const lingerMilliseconds = 1000;

/**
 * Sends a small answer. If the request's body was not read to its end, the connection is closed afterwards, but only
 * once the client has had a moment to read the answer: a reset during the body would lose the answer. Returns undefined
 * if nothing is left to be done.
 */
export function respond(exchange: Exchange, answer: Answer): Promise<void> | undefined {
	const { request, response, requestId } = exchange;
	const { status, headers = {}, body = null } = answer;
	if (response.headersSent || response.destroyed) {
		response.destroy();
		return undefined;
	}
	const bodiless = body === null || status === 204 || status === 304;
	// A list of names and values costs Node less than an object.
	const sent = ["x-request-id", requestId];
	for (const name in headers) sent.push(name, headers[name] as string);
	if (status !== 204 && status !== 304 && !("content-length" in headers) && !response.hasHeader("content-length"))
		sent.push("content-length", String(body === null ? 0 : Buffer.byteLength(body)));
	if (!request.complete && hasBody(request)) return respondUnread(exchange, status, sent, bodiless ? null : body);
	response.writeHead(status, sent).end(bodiless ? undefined : body);
	return undefined;
}

async function respondUnread(
	{ request, response }: Exchange,
	status: number,
	headers: readonly string[],
	body: string | Uint8Array | null,
): Promise<void> {
	response.writeHead(status, [...headers, "connection", "close"]);
	if (body === null || request.method === "HEAD") response.flushHeaders();
	else response.write(body);
	await drained(request);
	response.end();
}

/** Sends an error as JSON. Removes headers that were already set for the file that the answer was to be. */
export function respondProblem(exchange: Exchange, { status, headers, body }: Problem): Promise<void> | undefined {
	for (const name of ["etag", "accept-ranges", "content-length"])
		if (!exchange.response.headersSent) exchange.response.removeHeader(name);
	return respond(exchange, { status, headers, body: JSON.stringify(body) });
}

/** Returns whether the request announces a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
	headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

async function drained(request: IncomingMessage): Promise<void> {
	request.resume();
	await finished(request, { writable: false, signal: AbortSignal.timeout(lingerMilliseconds), cleanup: true }).catch(
		() => undefined,
	);
}
