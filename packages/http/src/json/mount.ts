import {
	type Api,
	api,
	commonErrors,
	type ErrorCode,
	type Input,
	isReelmillError,
	type JsonOperationName,
	type Operation,
	type OperationName,
	type Output,
	ReelmillError,
} from "@reelmill/contracts";
import type { Context, Hono } from "hono";
import type { Admit } from "../admission.ts";
import type { Principals } from "../principals.ts";
import type { RequestEnv } from "../request-id.ts";
import type { UnservedName } from "../unserved.ts";
import { checkPathId, parse, parseQuery } from "./parse.ts";
import { readJsonBody } from "./read-body.ts";
import { jsonReply, type Reply, send } from "./reply.ts";

/** What a handler gets: the parsed input, who asks, and a signal that aborts when the client goes away. */
export type Call<O extends Operation> = { readonly input: Input<O>; readonly principal: Principals[O["auth"]]; readonly signal: AbortSignal };
/** Operations of the tenant plane that answer bytes of a media type. */
type FileName = { [K in OperationName]: Api[K] extends { plane: "tenant"; success: { content: string } } ? K : never }[OperationName];
export type ServedName = Exclude<JsonOperationName | FileName, UnservedName>;
/** A missing handler, one too many, or one that answers the wrong shape, does not compile. */
export type Handlers = { readonly [K in ServedName]: (call: Call<Api[K]>) => Promise<K extends FileName ? Uint8Array<ArrayBuffer> : Output<Api[K]>> };

type LooseCall = { readonly input: object; readonly principal: unknown; readonly signal: AbortSignal };

/** Mounts every operation that has a handler. Credentials, rate limits and what the credentials are good for come first, then path ids, query and body; answers are parsed on the way out. */
export function mountOperations(app: Hono<RequestEnv>, handlers: Handlers, admit: Admit, idleMilliseconds: number): void {
	for (const name of Object.keys(handlers) as ServedName[]) {
		const operation: Operation = api[name];
		const handle = handlers[name] as (call: LooseCall) => Promise<unknown>;
		app.on(operation.method, operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), async (context) => {
			const principal = await admit(name, context.req.header("authorization") ?? null, context.env.clientKey);
			refuseSandbox(operation, principal);
			const input = await readInput(operation, context, idleMilliseconds);
			const value = await handle({ input, principal, signal: context.req.raw.signal }).catch((error: unknown) => {
				if (!isReelmillError(error)) throw error;
				if (!listed(operation, error.code)) throw new Error(`${name} threw ${error.code}, which its contract does not list`, { cause: error });
				throw restated(operation, error);
			});
			return send(context, answer(operation, value));
		});
	}
}

/** Throws `sandbox_not_allowed` for a sandbox session on an operation that isn't open to it. */
function refuseSandbox(operation: Operation, principal: Principals[Operation["auth"]]): void {
	const isSandbox = principal !== null && "kind" in principal && principal.kind === "sandbox";
	if (isSandbox && operation.sandbox === "refused") throw new ReelmillError("sandbox_not_allowed");
}

async function readInput(operation: Operation, context: Context, idleMilliseconds: number): Promise<object> {
	const params = context.req.param();
	checkPathId(operation, params);
	return {
		params,
		query: parseQuery(operation, queryOf(context.req.url)),
		...(operation.body && { body: parse(operation.body, await readJsonBody(context.req.raw, idleMilliseconds)) }),
	};
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

function answer(operation: Operation, value: unknown): Reply {
	const { success } = operation;
	if ("content" in success && success.content !== undefined) return file(success.content, value as Uint8Array<ArrayBuffer>);
	if (!("body" in success) || success.body === undefined) return { status: success.status, headers: {}, body: null };
	if (value === undefined && operation.alternatives?.some(({ status }) => status === 204)) return { status: 204, headers: {}, body: null };
	return jsonReply(success.status, success.body.parse(value));
}

const file = (contentType: string, body: Uint8Array<ArrayBuffer>): Reply => ({
	status: 200,
	headers: {
		"content-type": contentType,
		"content-length": String(body.byteLength),
		"cache-control": "private, no-store",
		"x-content-type-options": "nosniff",
	},
	body,
});

function listed(operation: Operation, code: ErrorCode): boolean {
	return operation.errors.includes(code) || commonErrors(operation).includes(code);
}

/** The error with the status that this operation answers its code with. */
function restated(operation: Operation, error: ReelmillError): ReelmillError {
	const status = operation.statuses?.[error.code];
	return status === undefined ? error : new ReelmillError(error.code, { message: error.message, extras: error.extras, status, cause: error });
}
