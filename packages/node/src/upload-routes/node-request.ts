import type { IncomingHttpHeaders } from "node:http";

/** What frameworks over Node's HTTP server know of a request. `body` is what a parser left of it, or its bytes. */
export type NodeRequest = { method?: string | undefined; headers: IncomingHttpHeaders; body?: unknown };

/** Makes a Fetch request of one of Node's. A body that was parsed as JSON is written as JSON again. */
export function fetchRequest({ method = "GET", headers: received, body }: NodeRequest): Request {
	const headers = new Headers();
	for (const [name, value] of Object.entries(received)) {
		// Names that begin with a colon are HTTP/2's own.
		if (value === undefined || name.startsWith(":")) continue;
		for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
	}
	const host = received.host ?? received[":authority"];
	if (typeof host === "string") headers.set("host", host);
	const hasBody = method !== "GET" && method !== "HEAD" && body !== undefined && body !== null;
	// The address is never looked at: the framework has chosen the route by it.
	return new Request("http://back-end.invalid/", {
		method,
		headers,
		...(hasBody ? { body: isBytes(body) ? (body as BodyInit) : JSON.stringify(body), duplex: "half" } : {}),
	} as RequestInit);
}

/** Tells what Fetch takes for a body: a text, bytes, or a stream of them. */
const isBytes = (body: unknown): boolean =>
	typeof body === "string" ||
	ArrayBuffer.isView(body) ||
	(typeof body === "object" && body !== null && Symbol.asyncIterator in body);
