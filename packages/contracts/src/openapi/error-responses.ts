import { type ErrorCode, errors, internalUnavailable } from "../errors.ts";
import { type Audience, commonErrors, isJsonOperation, type Operation, sessionErrors, statusOf } from "../operation.ts";
import { errorCodes } from "../resources/error.ts";
import type { JsonSchema, Response } from "./document.ts";
import { sharedHeader } from "./headers.ts";

type Responses = Record<string, Response>;

/** The codes with their notes at one status. */
type Notes = Map<ErrorCode, string[]>;

/**
 * Returns the errors that an operation has for an audience: one response for each status below 500 at which it has
 * codes of its own, and under `4XX` and `5XX` what any operation like it may answer.
 */
export function errorResponses(operation: Operation, audience: Audience | "all"): Responses {
	if (operation.method === "HEAD" && operation.alsoHead) return headErrors;
	const common = commonNotes(operation, audience);
	const own = new Map<number, Notes>();
	// What fails on the server's side is told by its code: the range has those of the operation as well.
	const add = (status: number, code: ErrorCode, note: string) => {
		const to = status >= 500 ? common : own;
		to.set(status, addNote(to.get(status) ?? new Map(), code, note));
	};
	for (const code of operation.errors) add(statusOf(operation, code), code, `\`${code}\`: ${errors[code].message}`);
	for (const { status, description } of operation.alternatives ?? []) {
		if (status >= 400 && status < 500) add(status, "bad_request", description);
	}
	const explicit = [...own]
		.sort(([a], [b]) => a - b)
		.map(([status, notes]) => {
			// What these mean stands under the range.
			for (const code of common.get(status)?.keys() ?? []) if (!notes.has(code)) notes.set(code, [`\`${code}\``]);
			return [String(status), errorResponse(operation, { notes: [notes], statuses: [status] })] as const;
		});
	const ranges = (["4", "5"] as const).map((digit) => {
		const within = [...common].filter(([status]) => String(status).startsWith(digit)).sort(([a], [b]) => a - b);
		const statuses = within.map(([status]) => status);
		const notes = within.map(([status, ofStatus]) => withStatus(ofStatus, status));
		return [`${digit}XX`, errorResponse(operation, { notes, statuses, isRange: true })] as const;
	});
	return Object.fromEntries([...explicit, ...ranges]);
}

/** The codes that an operation has in common with others like it, by their status. */
function commonNotes(operation: Operation, audience: Audience | "all"): Map<number, Notes> {
	const byStatus = new Map<number, Notes>();
	const add = (status: number, code: ErrorCode, note: string) =>
		byStatus.set(status, addNote(byStatus.get(status) ?? new Map(), code, note));
	for (const code of commonCodes(operation, audience))
		add(statusOf(operation, code), code, `\`${code}\`: ${errors[code].message}`);
	if (isJsonOperation(operation) || operation.plane === "tenant") {
		add(408, "bad_request", "`bad_request`: the body stopped coming.");
		add(413, "bad_request", "`bad_request`: the body is larger than 64 KiB.");
	}
	if (operation.plane !== "operations") add(503, "internal_error", `\`internal_error\`: ${internalUnavailable}`);
	return byStatus;
}

const addNote = (notes: Notes, code: ErrorCode, note: string): Notes =>
	notes.set(code, [...(notes.get(code) ?? []), note]);

/** Says at which status a code of a range comes. */
const withStatus = (notes: Notes, status: number): Notes =>
	new Map([...notes].map(([code, said]) => [code, said.map((note) => note.replace(":", ` (${status}):`))]));

type Parts = { notes: readonly Notes[]; statuses: readonly number[]; isRange?: true };

function errorResponse({ method }: Operation, { notes, statuses, isRange }: Parts): Response {
	const listed = errorCodes.filter((code) => notes.some((ofStatus) => ofStatus.has(code)));
	const lines = notes.flatMap((ofStatus) => listed.flatMap((code) => ofStatus.get(code) ?? []));
	const headers = {
		...(isRange && { "x-request-id": sharedHeader("RequestId") }),
		...(statuses.some((status) => status === 429 || status === 503) && { "Retry-After": sharedHeader("RetryAfter") }),
	};
	return {
		description: lines.join("\n"),
		...(Object.keys(headers).length > 0 && { headers }),
		...(method !== "HEAD" && { content: { "application/json": { schema: oneOf(listed) } } }),
	};
}

/** How the HEAD beside a GET fails. */
const headErrors: Responses = {
	"4XX": { description: "GET would be refused with this status. There is no body, and so no code." },
	"5XX": { description: "GET would fail with this status. There is no body, and so no code." },
};

/** Those that only a console session can meet stand where a session is a credential. */
function commonCodes(operation: Operation, audience: Audience | "all"): Set<ErrorCode> {
	const withSession = audience === "all" || audience === "console";
	const onlyOfSessions = withSession ? [] : sessionErrors(operation);
	const onlyOfKeys: readonly ErrorCode[] = audience === "console" ? ["sandbox_not_allowed"] : [];
	return new Set(commonErrors(operation).filter((code) => ![...onlyOfSessions, ...onlyOfKeys].includes(code)));
}

/** One of several errors, which `error` tells apart: each schema has the name of its code. */
function oneOf(codes: readonly ErrorCode[]): JsonSchema {
	const references = codes.map((code) => ({ $ref: `#/components/schemas/${code}` }));
	const [only] = references;
	if (references.length === 1 && only !== undefined) return only;
	return { oneOf: references, discriminator: { propertyName: "error" } };
}
