import type * as z from "zod";
import type { AuditAction } from "./audit-actions.ts";
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
/** The HTTP method of an operation. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Who an operation is for: tenants, operators, workers, the console, or anyone. */
export type Plane = "tenant" | "upload" | "delivery" | "internal" | "admin" | "console" | "operations";

/** Whose document an operation stands in: there is one for each audience, and one with everything. */
export type Audience = "tenants" | "operators" | "workers" | "console";

type Names<P extends string> = P extends `${string}{${infer Name}}${infer Tail}` ? Name | Names<Tail> : never;

/**
 * The success of an operation: JSON with a schema, bytes of a media type, or nothing. `says` tells what the answer
 * means; of JSON it is what the schema says of itself, unless more is said.
 */
export type Success =
	| { readonly status: 200 | 201 | 202; readonly body: z.ZodType; readonly says?: string }
	| { readonly status: 200 | 206; readonly content: string; readonly says: string }
	| { readonly status: 200 | 201 | 204 | 302; readonly body?: never; readonly content?: never; readonly says: string };

/** One operation of the service as data: method, path, plane, schemas and errors. */
export type Operation = {
	readonly method: Method;
	readonly path: `/${string}`;
	readonly plane: Plane;
	/** Whose documents it stands in, if its plane doesn't tell. */
	readonly audiences?: readonly Audience[];
	readonly tag: Tag;
	readonly summary: string;
	/** What a caller should know besides the summary: effects, races, limits. */
	readonly description?: string;
	readonly auth: Auth;
	/** Whether a sandbox session may call a tenant operation. If not, the answer is `sandbox_not_allowed`. */
	readonly sandbox?: "allowed" | "refused";
	/** How the audit log names the change. */
	readonly audit?: AuditAction;
	/** Why the audit log leaves it out, although it is no GET. */
	readonly unaudited?: string;
	readonly params?: z.ZodObject;
	readonly query?: z.ZodObject;
	readonly headers?: z.ZodObject;
	readonly body?: z.ZodType;
	/** The body may be left out. It is then `{}`. */
	readonly bodyOptional?: true;
	/** The media types of a JSON body besides `application/json`. */
	readonly alsoMediaTypes?: readonly string[];
	/** The body is a text of one of these media types in place of JSON, in UTF-8; `body` is the schema of a string. */
	readonly text?: { readonly mediaTypes: readonly string[]; readonly mostBytes: number };
	/** The body may be a file of one of these media types in place of JSON. What it is, its first bytes tell. */
	readonly file?: { readonly mediaTypes: readonly string[]; readonly mostBytes: number };
	/** The media type of a body that is not JSON. The operation is then served by the raw Node server. */
	readonly content?: string;
	/** HEAD on the same path answers as this GET, without the body. */
	readonly alsoHead?: true;
	/** The operation is served on the operations port alone. */
	readonly port?: "operations";
	readonly success: Success;
	/** The headers of the success on which a caller relies, and what they mean. */
	readonly responseHeaders?: Readonly<Record<string, string>>;
	/** The answers besides the success and the errors, for example 204 when a claim finds no job. */
	readonly alternatives?: readonly { readonly status: number; readonly description: string }[];
	/** A person's browser comes here: where it asks for `text/html`, a failure is a page with the error's status. */
	readonly failsAsPage?: true;
	/** The errors of this operation alone. Those of all operations come from `commonErrors`. */
	readonly errors: readonly ErrorCode[];
	/** The status of each code whose status differs from the catalogue's here. */
	readonly statuses?: { readonly [C in ErrorCode]?: number };
};

/** Lets a missing or an unknown path parameter not compile. */
type MatchesPath<O extends Operation> = [Names<O["path"]>] extends [never]
	? { params?: never }
	: { params: z.ZodObject<Record<Names<O["path"]>, z.ZodType>> };
type SandboxSaid<O extends Operation> = O["auth"] extends "tenant"
	? { sandbox: "allowed" | "refused" }
	: { sandbox?: never };
/** What changes something on these planes is in the audit log, or says why not. */
type AuditSaid<O extends Operation> = O extends { method: "GET" | "HEAD" } | { plane: Exclude<Plane, AuditedPlane> }
	? { unaudited?: never }
	: { audit: AuditAction; unaudited?: never } | { audit?: never; unaudited: string };
type AuditedPlane = "tenant" | "admin" | "console";

/**
 * Declares an operation. Returns it unchanged. It does not compile if its path parameters differ from the path, if an
 * error code is not in the catalogue, or if it changes something and says nothing of the audit log.
 * @example
 * ```ts
 * import { defineOperation } from "@reelmill/contracts";
 * import * as z from "zod";
 *
 * const getGreeting = defineOperation({
 * 	method: "GET",
 * 	path: "/v1/greetings/{name}",
 * 	plane: "tenant",
 * 	tag: "Service",
 * 	summary: "Greet someone",
 * 	auth: "tenant",
 * 	sandbox: "allowed",
 * 	params: z.strictObject({ name: z.string() }),
 * 	success: { status: 200, body: z.object({ greeting: z.string() }) },
 * 	errors: ["not_found"],
 * });
 * console.log(getGreeting.path); // => /v1/greetings/{name}
 * ```
 */
export function defineOperation<const O extends Operation>(
	operation: O & MatchesPath<O> & SandboxSaid<O> & AuditSaid<O>,
): O {
	return operation;
}

/**
 * Returns the errors that an operation can answer besides those that it lists.
 * @example
 * ```ts
 * import { api, commonErrors } from "@reelmill/contracts";
 *
 * console.log(commonErrors(api.getVideo).includes("unauthorized")); // => true
 * ```
 */
export function commonErrors(operation: Operation): readonly ErrorCode[] {
	const codes: ErrorCode[] = ["bad_request", "internal_error"];
	if (!ignoresQuery(operation)) codes.push("validation_error");
	if (operation.auth === "tenant") codes.push("unauthorized", "rate_limited");
	if (operation.auth === "service") codes.push("unauthorized", "forbidden");
	if (operation.auth === "admin" || operation.auth === "console") codes.push("unauthorized", "not_found");
	codes.push(...sessionErrors(operation));
	if (operation.auth === "upload") codes.push("unauthorized", "rate_limited");
	if (operation.auth === "playback") codes.push("rate_limited");
	if (countsGuesses(operation)) codes.push("rate_limited");
	if (operation.sandbox === "refused") codes.push("sandbox_not_allowed");
	return codes;
}

/**
 * Returns those of the common errors that only a caller with a console session can meet.
 * @example
 * ```ts
 * import { api, sessionErrors } from "@reelmill/contracts";
 *
 * console.log(sessionErrors(api.cancelVideo).includes("csrf_check_failed"), sessionErrors(api.claimJob)); // => true []
 * ```
 */
export function sessionErrors(operation: Operation): readonly ErrorCode[] {
	if (!takesSession(operation)) return [];
	return [
		"account_disabled",
		...(operation.auth === "tenant" ? (["domain_not_selected", "domain_not_found"] as const) : []),
		...(operation.method === "GET" ? [] : (["csrf_check_failed"] as const)),
	];
}

/**
 * Tells whether a console session may call an operation.
 * @example
 * ```ts
 * import { api, takesSession } from "@reelmill/contracts";
 *
 * console.log(takesSession(api.getVideo), takesSession(api.claimJob)); // => true false
 * ```
 */
export const takesSession = ({ auth }: Operation): boolean =>
	auth === "tenant" || auth === "admin" || auth === "console";

/**
 * Planes whose credentials belong to operators and workers. Guesses at them are counted before anything is looked up.
 */
const guarded: readonly Plane[] = ["internal", "admin", "console"];

/**
 * Tells whether failed authentications of an operation count towards the limit `failedAuthentication` of the client's
 * address.
 * @example
 * ```ts
 * import { api, countsGuesses } from "@reelmill/contracts";
 *
 * console.log(countsGuesses(api.getStats), countsGuesses(api.getVideo)); // => true false
 * ```
 */
export const countsGuesses = ({ plane, auth }: Operation): boolean => guarded.includes(plane) && auth !== "none";

/** Tells whether unknown query keys are ignored: so it is for files, uploads, pages and the operations port. */
const ignoresQuery = ({ plane, port, success }: Operation): boolean =>
	plane === "upload" || plane === "delivery" || port !== undefined || (plane === "operations" && "content" in success);

/**
 * Returns the status with which an operation answers a code: its own, or that of the catalogue.
 * @example
 * ```ts
 * import { api, statusOf } from "@reelmill/contracts";
 *
 * console.log(statusOf(api.getOutro, "outro_not_found"), statusOf(api.createVideo, "outro_not_found")); // => 404 400
 * ```
 */
export function statusOf(operation: Operation, code: ErrorCode): number {
	return operation.statuses?.[code] ?? errors[code].status;
}

/**
 * True for an operation that takes and returns JSON on the API's port. The others are bound one by one: the upload and
 * delivery planes, archives, pages and the operations port.
 */
export type IsJson<O extends Operation> = O extends
	| { plane: "upload" | "delivery" }
	| { content: string }
	| { success: { content: string } }
	| { port: "operations" }
	? false
	: true;

/**
 * Tells whether an operation takes and returns JSON on the API's port: {@link IsJson} at run time.
 * @example
 * ```ts
 * import { api, isJsonOperation } from "@reelmill/contracts";
 *
 * console.log(isJsonOperation(api.getVideo), isJsonOperation(api.getWebMp4)); // => true false
 * ```
 */
export function isJsonOperation(operation: Operation): boolean {
	const raw =
		operation.plane === "upload" ||
		operation.plane === "delivery" ||
		operation.content !== undefined ||
		"content" in operation.success;
	return !raw && operation.port === undefined;
}

/** Media types of answers of the tenant plane that callers get as a text. */
type TextContent = "text/vtt";
/** True for an operation of the tenant plane whose answer is a text. */
export type IsText<O extends Operation> = O extends { plane: "tenant"; success: { content: TextContent } }
	? true
	: false;

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
type OrFile<O, Sent> = O extends { file: object }
	? Sent extends { body: infer B }
		? { body: B | Uint8Array<ArrayBuffer> }
		: Sent
	: Sent;
/** The input that a handler receives, after defaults and coercion. */
export type Input<O extends Operation> = Parsed<O, "params"> &
	Parsed<O, "query"> &
	Parsed<O, "headers"> &
	OrFile<O, Parsed<O, "body">>;
/** The input that a caller writes, before defaults and coercion. */
export type CallInput<O extends Operation> = Sent<O, "params"> & Sent<O, "query"> & OrFile<O, Sent<O, "body">>;
type Body<S> = S extends { body: infer B } ? (B extends z.ZodType ? B : never) : never;
type Empty<O> = O extends { alternatives: readonly (infer A)[] }
	? A extends { status: 204 }
		? undefined
		: never
	: never;
/**
 * The result that a handler returns and a caller gets: the parsed body, or undefined for an answer without a body, such
 * as 204.
 */
export type Output<O extends Operation> = [Body<O["success"]>] extends [never]
	? O["success"] extends { content: TextContent }
		? string
		: undefined
	: z.output<Body<O["success"]>> | Empty<O>;
