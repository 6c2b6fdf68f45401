import fc from "fast-check";
import type { ApiOperation } from "../api/document.ts";
import { queryOf, rightBody, wrongBody } from "./bodies.ts";
import type { Body, HttpStep } from "./case.ts";
import { rightCredential, wrongCredential } from "./credentials.ts";
import { oddHeaders, ownOddHeaders, rightHeaders } from "./headers.ts";
import { rightPath, wrongPath } from "./paths.ts";

/** Which parts of a request are wrong. All others are as the operation takes them. */
type Wrong = {
	readonly credential?: boolean;
	readonly path?: boolean;
	readonly query?: boolean;
	readonly body?: boolean;
	readonly headers?: "own" | "any";
	readonly method?: boolean;
	readonly framing?: boolean;
};
type Headers = HttpStep["headers"];

const methods = ["HEAD", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

function request(operation: ApiOperation, wrong: Wrong): fc.Arbitrary<HttpStep> {
	return fc
		.record({
			credential: wrong.credential ? wrongCredential : rightCredential(operation),
			path: wrong.path ? wrongPath(operation) : rightPath(operation),
			query: queryOf(operation, !wrong.query),
			body: wrong.body ? wrongBody(operation) : rightBody(operation),
			headers:
				wrong.headers === "own"
					? ownOddHeaders(operation)
					: wrong.headers === "any"
						? oddHeaders
						: fc.constant<Headers>({}),
			method: wrong.method ? fc.constantFrom(...methods) : fc.constant(operation.method),
			chunked: wrong.framing ? fc.constant(true) : fc.constant(false),
		})
		.map(({ credential, path, query, body, headers, method, chunked }) => ({
			kind: "http",
			...(operation.port === "operations" && { port: operation.port }),
			method,
			path: query === "" ? path : `${path}?${query}`,
			headers: {
				...rightHeaders(operation, body as Body | null),
				...(credential !== null && { authorization: credential }),
				...headers,
			},
			body: method === "GET" || method === "HEAD" ? (wrong.body ? body : null) : body,
			chunked,
		}));
}

/** Generates requests for an operation: two of five are right, two of five have one wrong part, the others several. */
export function requestsFor(operation: ApiOperation): fc.Arbitrary<HttpStep> {
	const one: readonly Wrong[] = [
		{ credential: true },
		...(operation.path.includes("{") ? [{ path: true }, { path: true }] : []),
		{ path: true },
		{ query: true },
		{ body: true },
		...(operation.body === undefined ? [] : [{ body: true }, { body: true }]),
		{ headers: "own" },
		{ headers: "any" },
		{ method: true },
		{ framing: true },
	];
	const several: readonly Wrong[] = [
		{ body: true, headers: "own" },
		{ path: true, query: true, headers: "any" },
		{ credential: true, path: true, body: true },
		{ method: true, body: true, headers: "any" },
		{ credential: true, path: true, query: true, body: true, headers: "any", method: true, framing: true },
	];
	return fc.oneof(
		{ weight: 4, arbitrary: request(operation, {}) },
		{ weight: 4, arbitrary: fc.oneof(...one.map((wrong) => request(operation, wrong))) },
		{ weight: 2, arbitrary: fc.oneof(...several.map((wrong) => request(operation, wrong))) },
	);
}
