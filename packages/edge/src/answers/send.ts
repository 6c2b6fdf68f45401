import { matchesNone, parseRange } from "../headers/conditional.ts";
import type { EdgeRequest } from "../request.ts";
import { blockBytes, bodyOf } from "./blocks.ts";
import type { Files, FoundFile } from "./files.ts";

/** An answer without a file: what the service says to one who may not have it. */
export type Refusal = {
	readonly status: number;
	readonly headers: readonly (readonly [string, string])[];
	readonly body: Uint8Array;
};

/** What the service says of a public file that was never changed. */
const keptForADay = "public, max-age=86400";

/**
 * Answers with a file or a part of it. `passOn` is for what only the service answers: a range outside the file, and a
 * file that has become another one.
 */
export async function answerWithFile(
	found: FoundFile,
	request: EdgeRequest,
	files: Files,
	passOn: () => Promise<Response>,
): Promise<Response> {
	const { file } = found;
	const headers = new Headers(file.headers.map(([name, value]) => [name, value] as [string, string]));
	headers.set("x-request-id", requestIdOf(request));
	headers.set("cache-status", `reelmill-edge; ${found.isKept ? "hit" : "fwd=miss"}`);
	// The address names an edit. If the file is kept as one that was never changed, its feed is behind: the viewer's own
	// cache must not take the old bytes for the new ones.
	if (headers.get("cache-control") === keptForADay && /[?&]v=/.test(request.target))
		headers.set("cache-control", "public, no-cache");
	if (matchesNone(request.headers.get("if-none-match"), file.etag)) {
		for (const name of ["content-type", "accept-ranges"]) headers.delete(name);
		return new Response(null, { status: 304, headers });
	}
	const isHead = request.method === "HEAD";
	const ifRange = request.headers.get("if-range");
	const rangeStands = !isHead && (ifRange === null || ifRange.trim() === file.etag);
	const range = rangeStands ? parseRange(request.headers.get("range"), file.size) : null;
	if (range === "unsatisfiable") return passOn();
	const part = range ?? { start: 0, end: file.size - 1 };
	headers.set("content-length", String(part.end - part.start + 1));
	if (range !== null) headers.set("content-range", `bytes ${range.start}-${range.end}/${file.size}`);
	if (isHead) return new Response(null, { status: 200, headers });
	const blockOf = (index: number) => files.block(found, request, index);
	let first: Uint8Array;
	try {
		first = await blockOf(Math.floor(part.start / blockBytes));
	} catch {
		return passOn();
	}
	return new Response(bodyOf(part, blockOf, first) as BodyInit, { status: range === null ? 200 : 206, headers });
}

/** Answers without a file. */
export function refuse({ status, headers, body }: Refusal, request: EdgeRequest): Response {
	const sent = new Headers(headers.map(([name, value]) => [name, value] as [string, string]));
	sent.set("x-request-id", requestIdOf(request));
	const isBodiless = status === 204;
	if (!isBodiless) sent.set("content-length", String(body.length));
	const content = isBodiless || request.method === "HEAD" ? null : (body as Uint8Array<ArrayBuffer>);
	return new Response(content, { status, headers: sent });
}

/** As the service takes it: a short id of the client's is kept, and any other replaced. */
const requestIdOf = ({ headers }: EdgeRequest): string => {
	const sent = headers.get("x-request-id");
	return sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID();
};

const problem = (status: number, error: string, message: string, more: [string, string][] = []): Refusal => ({
	status,
	headers: [
		["content-type", "application/json; charset=utf-8"],
		["cache-control", "no-store"],
		["x-content-type-options", "nosniff"],
		["access-control-allow-origin", "*"],
		...more,
	],
	body: new TextEncoder().encode(JSON.stringify({ error, message })),
});

/** What a viewer gets while nothing may be acted upon. */
export const staleRefusal = problem(
	503,
	"internal_error",
	"Something that the service needs can't be reached or is full. Try again.",
	[["retry-after", "5"]],
);

/**
 * Returns what an edge says of itself below a `public_base_url`, or null for another address. The service's check of
 * that address asks for it, since an edge has none of the bucket's probe objects.
 */
export function answerAsEdge({ method, target }: EdgeRequest): Response | null {
	if (!/^[^?]*\/public\/edge\.txt$/.test(target)) return null;
	const headers = {
		"content-type": "text/plain; charset=utf-8",
		"cache-control": "no-store",
		"access-control-allow-origin": "*",
	};
	return new Response(method === "HEAD" ? null : "reelmill-edge\n", { headers });
}

const notFound = problem(404, "not_found", "There is nothing at this address.");
/** An edge serves videos. Everything else of the service is reached at its own address. */
export const unknownPath = (request: EdgeRequest): Response => refuse(notFound, request);
