import { isUuidV4, type Operation, ReelmillError } from "@reelmill/contracts";
import * as z from "zod";
import { isStorable } from "./refuse-unstorable.ts";
import type { JsonRequest } from "./request.ts";

/** The schema for the query or the body of an operation that has none. */
export const nothing = z.strictObject({});

/**
 * Returns the parameters of the path by the operation's schema. Throws `invalid_video_id` when the id is no UUIDv4, if
 * the operation lists that code.
 */
export function parseParams(operation: Operation, sent: Readonly<Record<string, string>>): object {
	if (operation.params === undefined) return sent;
	const params = parse(operation.params, sent);
	if (operation.errors.includes("invalid_video_id") && !isUuidV4(String(params["id"])))
		throw new ReelmillError("invalid_video_id");
	return params;
}

/** Returns the query by the operation's schema. Throws `validation_error` when a key is unknown or comes twice. */
export function parseQuery(operation: Operation, query: URLSearchParams): object {
	if (query.size === 0 && operation.query === undefined) return {};
	const sent: Record<string, string> = Object.create(null);
	for (const [key, value] of query) {
		if (key in sent) throw new ReelmillError("validation_error", { message: `${key}: given twice` });
		if (!isStorable(value)) throw new ReelmillError("validation_error", { message: `${key}: holds NUL` });
		sent[key] = value;
	}
	return parse(operation.query ?? nothing, { ...sent }) as object;
}

/** Returns the headers that the operation declares. Throws `validation_error` when one doesn't match. */
export function parseHeaders({ headers }: Operation, request: Pick<JsonRequest, "header">): object {
	if (headers === undefined) return {};
	const names = Object.keys(headers.shape);
	const sent = names.map((name) => [name, request.header(name.toLowerCase()) ?? undefined]);
	return parse(headers, Object.fromEntries(sent));
}

/** Returns `value` by the schema. Throws `validation_error` otherwise; the message names each wrong field. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new ReelmillError("validation_error", { message: result.error.issues.map(describe).join("; ") });
}

function describe(issue: z.core.$ZodIssue): string {
	const path = issue.path.map(String);
	if (issue.code === "unrecognized_keys")
		return issue.keys.map((key) => `${[...path, key].join(".")}: unknown key`).join("; ");
	return path.length > 0 ? `${path.join(".")}: ${issue.message}` : issue.message;
}
