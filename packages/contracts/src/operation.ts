import type * as z from "zod";
import { type ErrorCode, errors } from "./errors.ts";
import type { Tag } from "./tags.ts";

/**
 * Who may call an operation.
 * - `tenant`: a domain key, a sandbox session key or a console session
 * - `service`: a service token with `video:process`
 * - `admin`: the admin key or a console session with the admin role
 * - `console`: a console session
 * - `upload`: an upload token; `playback`: a playback key, or nothing for a public video
 */
export type Auth = "none" | "tenant" | "service" | "admin" | "console" | "upload" | "playback";
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Plane = "tenant" | "upload" | "delivery" | "internal" | "admin" | "console" | "operations";

type Names<P extends string> = P extends `${string}{${infer Name}}${infer Tail}` ? Name | Names<Tail> : never;

/** What an operation answers when it succeeds: JSON by schema, bytes of a media type, or nothing. */
export type Success =
	| { readonly status: 200 | 201; readonly body: z.ZodType }
	| { readonly status: 200 | 206; readonly content: string }
	| { readonly status: 200 | 201 | 204 | 302; readonly body?: never; readonly content?: never };

export type Operation = {
	readonly method: Method;
	readonly path: `/${string}`;
	readonly plane: Plane;
	readonly tag: Tag;
	readonly summary: string;
	/** What a caller should know beyond the summary: effects, races, limits. */
	readonly description?: string;
	readonly auth: Auth;
	/** Whether a sandbox session may call a tenant operation; refused ones answer `sandbox_not_allowed`. */
	readonly sandbox?: "allowed" | "refused";
	readonly params?: z.ZodObject;
	readonly query?: z.ZodObject;
	readonly headers?: z.ZodObject;
	readonly body?: z.ZodType;
	/** The body may be left out; it then counts as `{}`. */
	readonly bodyOptional?: true;
	/** Media types that a JSON body may come as, beside `application/json`. */
	readonly alsoMediaTypes?: readonly string[];
	/** A body that is not JSON: its media type. The operation is then served on the raw Node server. */
	readonly content?: string;
	/** HEAD on the same path answers as this GET does, without the body. */
	readonly alsoHead?: true;
	/** Served on the operations port only, never beside the API. */
	readonly port?: "operations";
	readonly success: Success;
	/** Headers of the success that a caller relies on: name to meaning. */
	readonly responseHeaders?: Readonly<Record<string, string>>;
	/** Answers beside the success and the errors, for example 204 when a claim finds no job. */
	readonly alternatives?: readonly { readonly status: number; readonly description: string }[];
	/** Only what this operation adds; see `commonErrors` for what belongs to all. */
	readonly errors: readonly ErrorCode[];
	/** Codes that this operation answers with another status than the catalogue's. */
	readonly statuses?: { readonly [C in ErrorCode]?: number };
};

/** The path template is the truth: a missing or stray path parameter does not compile. */
type MatchesPath<O extends Operation> = [Names<O["path"]>] extends [never]
	? { params?: never }
	: { params: z.ZodObject<Record<Names<O["path"]>, z.ZodType>> };
type SandboxSaid<O extends Operation> = O["auth"] extends "tenant"
	? { sandbox: "allowed" | "refused" }
	: { sandbox?: never };

/**
 * Declares an operation. Path parameters that don't match the path, and codes outside the catalogue, do not compile.
 */
export function defineOperation<const O extends Operation>(operation: O & MatchesPath<O> & SandboxSaid<O>): O {
	return operation;
}

/** Errors that an operation can answer whatever it lists itself. */
export function commonErrors(operation: Operation): readonly ErrorCode[] {
	const codes: ErrorCode[] = ["bad_request", "internal_error"];
	if (!ignoresQuery(operation)) codes.push("validation_error");
	if (operation.auth === "tenant")
		codes.push("unauthorized", "rate_limited", "domain_not_selected", "domain_not_found", "account_disabled");
	if (operation.auth === "service") codes.push("unauthorized", "forbidden");
	if (operation.auth === "admin" || operation.auth === "console")
		codes.push("unauthorized", "not_found", "account_disabled");
	const takesSession = operation.auth === "tenant" || operation.auth === "admin" || operation.auth === "console";
	if (takesSession && operation.method !== "GET") codes.push("csrf_check_failed");
	if (operation.auth === "upload") codes.push("unauthorized", "rate_limited");
	if (operation.auth === "playback") codes.push("rate_limited");
	if (countsGuesses(operation)) codes.push("rate_limited");
	if (operation.sandbox === "refused") codes.push("sandbox_not_allowed");
	return codes;
}

/**
 * Planes whose credentials belong to operators and workers: guesses at them are counted, and refused beyond their
 * limit, before anything is looked up.
 */
const guarded: readonly Plane[] = ["internal", "admin", "console"];
/**
 * Whether failed authentications of this operation count towards the limit `failedAuthentication` of the client's
 * address.
 */
export const countsGuesses = ({ plane, auth }: Operation): boolean => guarded.includes(plane) && auth !== "none";

/**
 * Files, uploads, pages and the operations port are asked for by their path alone. Everywhere else a key that the query
 * doesn't know is refused.
 */
const ignoresQuery = ({ plane, port, success }: Operation): boolean =>
	plane === "upload" || plane === "delivery" || port !== undefined || (plane === "operations" && "content" in success);

/** The status with which an operation answers a code: the catalogue's, unless the operation says otherwise. */
export function statusOf(operation: Operation, code: ErrorCode): number {
	return operation.statuses?.[code] ?? errors[code].status;
}

/**
 * True for an operation that takes and gives JSON on the API's port. The others (upload and delivery planes, archives,
 * pages, the operations port) are bound one by one.
 */
export type IsJson<O extends Operation> = O extends
	| { plane: "upload" | "delivery" }
	| { content: string }
	| { success: { content: string } }
	| { port: "operations" }
	? false
	: true;
/** {@link IsJson} at run time: what a loop that mounts JSON handlers may take. */
export function isJsonOperation(operation: Operation): boolean {
	const raw =
		operation.plane === "upload" ||
		operation.plane === "delivery" ||
		operation.content !== undefined ||
		"content" in operation.success;
	return !raw && operation.port === undefined;
}

type Parsed<O, K extends string> = K extends keyof O
	? O[K] extends z.ZodType
		? { [_ in K]: z.output<O[K]> }
		: unknown
	: unknown;
type Sent<O, K extends string> = K extends keyof O
	? O[K] extends z.ZodType
		? Record<never, never> extends z.input<O[K]>
			? { [_ in K]?: z.input<O[K]> }
			: { [_ in K]: z.input<O[K]> }
		: unknown
	: unknown;
/** What a handler receives: after defaults and coercion. */
export type Input<O extends Operation> = Parsed<O, "params"> & Parsed<O, "query"> & Parsed<O, "body">;
/** What a caller writes: before them. */
export type CallInput<O extends Operation> = Sent<O, "params"> & Sent<O, "query"> & Sent<O, "body">;
type Body<S> = S extends { body: infer B } ? (B extends z.ZodType ? B : never) : never;
type Empty<O> = O extends { alternatives: readonly (infer A)[] }
	? A extends { status: 204 }
		? undefined
		: never
	: never;
/**
 * What a handler answers, and a caller gets: the parsed body, or undefined where there is none (also where 204 is an
 * alternative).
 */
export type Output<O extends Operation> = [Body<O["success"]>] extends [never]
	? undefined
	: z.output<Body<O["success"]>> | Empty<O>;
