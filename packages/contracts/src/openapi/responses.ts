import type { RouteConfig } from "@asteasolutions/zod-to-openapi";
import { answerHeaders } from "../answer-headers.ts";
import { type ErrorCode, errors, internalUnavailable } from "../errors.ts";
import { commonErrors, isJsonOperation, type Operation, statusOf } from "../operation.ts";
import { ErrorBody } from "../resources/error.ts";
import { reference } from "./schemas.ts";

type Responses = RouteConfig["responses"];
type Header = { description: string; schema: { type: "string" } };
const header = (description: string): Header => ({ description, schema: { type: "string" } });
const shared = (name: keyof typeof sharedHeaders) => ({ $ref: `#/components/headers/${name}` });

/** The headers that many answers share, by their names in the document. */
export const sharedHeaders = {
	RequestId: header(
		"Names this request in the server's logs: the request's own x-request-id if that is well formed, else a new one.",
	),
	NoStore: header("`no-store`: nobody may keep the answer."),
	NoSniff: header("`nosniff`: the answer is nothing else than its content type says."),
	Sandboxed: header("`default-src 'none'; sandbox`: the file, opened as a page, runs nothing and loads nothing."),
	Challenge: header("`Bearer`: the kind of credential that is wanted."),
	RetryAfter: header(
		"Seconds to wait, rounded up. Absent where no retry can succeed, or time alone does not decide it.",
	),
};
const ofAnswers: Readonly<Record<string, keyof typeof sharedHeaders>> = {
	"cache-control": "NoStore",
	"x-content-type-options": "NoSniff",
	"content-security-policy": "Sandboxed",
	"www-authenticate": "Challenge",
};

/** Returns the headers of each answer with this status. */
function commonHeaders(operation: Operation, status: number) {
	const fixed = Object.keys(answerHeaders(operation, status)).map((name) => [
		name,
		shared(ofAnswers[name] as keyof typeof sharedHeaders),
	]);
	return { "x-request-id": shared("RequestId"), ...Object.fromEntries(fixed) };
}

function content(operation: Operation) {
	if (operation.method === "HEAD") return {};
	const { success } = operation;
	if ("body" in success && success.body !== undefined)
		return { content: { "application/json": { schema: reference(success.body) } } };
	if ("content" in success && success.content !== undefined)
		return {
			content: {
				[success.content]: success.content === "application/json" ? { schema: { type: "object" as const } } : {},
			},
		};
	return {};
}

/** Returns the success of an operation, its alternatives below 400, and those above that have the success's body. */
export function successResponses(operation: Operation): Responses {
	const common = commonHeaders(operation, operation.success.status);
	const headers = {
		...common,
		...Object.fromEntries(
			Object.entries(operation.responseHeaders ?? {}).map(([name, meaning]) => [name, header(meaning)]),
		),
	};
	const responses: Responses = {
		[operation.success.status]: { description: "Success.", headers, ...content(operation) },
	};
	for (const { status, description } of operation.alternatives ?? []) {
		if (status < 400)
			responses[status] = {
				description,
				headers: status === 302 ? { ...common, Location: header("Where the bytes are.") } : headers,
				...(status === 206 ? content(operation) : {}),
			};
		if (status >= 500)
			responses[status] = { description, headers: commonHeaders(operation, status), ...content(operation) };
	}
	return responses;
}

/** Returns one response for each status of the operation's errors. It lists the codes. */
export function errorResponses(operation: Operation): Responses {
	const codes = new Map<number, ErrorCode[]>();
	const notes = new Map<number, string[]>();
	const add = (status: number, code: ErrorCode, note: string) => {
		codes.set(status, [...new Set([...(codes.get(status) ?? []), code])]);
		notes.set(status, [...(notes.get(status) ?? []), note]);
	};
	for (const code of new Set([...operation.errors, ...commonErrors(operation)]))
		add(statusOf(operation, code), code, `\`${code}\`: ${errors[code].message}`);
	if (isJsonOperation(operation) || operation.plane === "tenant") {
		add(408, "bad_request", "`bad_request`: the body stopped coming.");
		add(413, "bad_request", "`bad_request`: the body is larger than 64 KiB.");
	}
	for (const { status, description } of operation.alternatives ?? []) {
		if (status >= 400 && status < 500) add(status, "bad_request", description);
	}
	if (operation.plane !== "operations") add(503, "internal_error", `\`internal_error\`: ${internalUnavailable}`);
	const responses: Responses = {};
	for (const [status, listed] of [...codes].sort(([a], [b]) => a - b)) {
		responses[status] = {
			description: (notes.get(status) ?? []).join("\n"),
			headers: {
				...commonHeaders(operation, status),
				...((status === 429 || status === 503) && { "Retry-After": shared("RetryAfter") }),
			},
			...(operation.method === "HEAD"
				? {}
				: {
						content: {
							"application/json": {
								schema: {
									allOf: [
										reference(ErrorBody),
										{ type: "object", properties: { error: { type: "string", enum: listed } } },
									],
								},
							},
						},
					}),
		};
	}
	return responses;
}
