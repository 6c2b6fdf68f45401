import { type ErrorCode, errors, internalUnavailable } from "../errors.ts";
import { type Audience, commonErrors, isJsonOperation, type Operation, sessionErrors, statusOf } from "../operation.ts";
import { errorCodes } from "../resources/error.ts";
import { contentOf } from "./contents.ts";
import type { Response } from "./document.ts";
import { uri } from "./named-schemas.ts";

/** What a code means at a status. */
type Note = { readonly status: number; readonly code: ErrorCode; readonly says: string };

/** How the HEAD beside a GET fails. */
const headErrors: Record<string, Response> = {
	"4XX": { description: "GET would be refused with this status. There is no body, and so no code." },
	"5XX": { description: "GET would fail with this status. There is no body, and so no code." },
};

/**
 * Returns the errors that an operation has for an audience: one response for each status below 500 at which it has
 * codes of its own, and under `4XX` and `5XX` what any operation like it may answer.
 */
export function errorResponses(operation: Operation, audience: Audience | "all"): Record<string, Response> {
	if (operation.method === "HEAD" && operation.alsoHead) return headErrors;
	const declared = operation.errors.map((code) => noteOf(operation, code));
	for (const { status, description } of operation.alternatives ?? [])
		if (status >= 400 && status < 500) declared.push({ status, code: "bad_request", says: description });
	const own = declared.filter(({ status }) => status < 500);
	// What fails on the server's side is told by its code: the range has those of the operation as well.
	const common = [...commonNotes(operation, audience), ...declared.filter(({ status }) => status >= 500)];
	const explicit = [...Map.groupBy(own, ({ status }) => status)].map(([status, notes]) => {
		// What these mean stands under the range.
		const also = common.filter((one) => one.status === status && notes.every(({ code }) => code !== one.code));
		const named = also.map((one) => ({ ...one, says: `\`${one.code}\`` }));
		return [status, errorResponse(operation, [...notes, ...named])] as const;
	});
	const range = (digit: number) => common.filter(({ status }) => Math.floor(status / 100) === digit);
	const ranges = { "4XX": errorResponse(operation, range(4), true), "5XX": errorResponse(operation, range(5), true) };
	return { ...Object.fromEntries(explicit), ...ranges };
}

const noteOf = (operation: Operation, code: ErrorCode, says: string = errors[code].message, status?: number): Note => ({
	status: status ?? statusOf(operation, code),
	code,
	says: `\`${code}\`: ${says}`,
});

/** What an operation may answer as others like it do. Codes that only a session can meet stand where one is taken. */
function commonNotes(operation: Operation, audience: Audience | "all"): Note[] {
	const ofSessions = audience === "all" || audience === "console" ? [] : sessionErrors(operation);
	const absent = [...ofSessions, ...(audience === "console" ? ["sandbox_not_allowed"] : [])];
	const codes = [...new Set(commonErrors(operation))].filter((code) => !absent.includes(code));
	const notes = codes.map((code) => noteOf(operation, code));
	if (isJsonOperation(operation) || operation.plane === "tenant") {
		notes.push(noteOf(operation, "bad_request", "the body stopped coming.", 408));
		notes.push(noteOf(operation, "bad_request", "the body is larger than 64 KiB.", 413));
	}
	if (operation.plane !== "operations") notes.push(noteOf(operation, "internal_error", internalUnavailable, 503));
	return notes;
}

function errorResponse({ method, failsAsPage }: Operation, notes: Note[], isRange = false): Response {
	notes.sort((a, b) => a.status - b.status || errorCodes.indexOf(a.code) - errorCodes.indexOf(b.code));
	const mayPass = notes.some(({ status }) => status === 429 || status === 503);
	const headers = {
		...(isRange && { "x-request-id": { $ref: "#/components/headers/RequestId" } }),
		...(mayPass && { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }),
	};
	// `error` tells them apart: each schema has the name of its code.
	const codes = errorCodes.filter((code) => notes.some((one) => one.code === code));
	const oneOf = codes.map((code) => ({ $ref: uri(code) }));
	const schema = oneOf.length === 1 ? oneOf[0] : { oneOf, discriminator: { propertyName: "error" } };
	return {
		description: notes.map(({ says, status }) => (isRange ? says.replace(":", ` (${status}):`) : says)).join("\n"),
		...(Object.keys(headers).length > 0 && { headers }),
		...(method !== "HEAD" &&
			schema && {
				content: { "application/json": { schema }, ...(failsAsPage && contentOf({ content: "text/html" })) },
			}),
	};
}
