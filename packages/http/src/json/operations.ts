import {
	type Api,
	answerHeaders,
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
import type { Actor, Clock, Quotas, TenantPrincipal } from "@reelmill/engine";
import type { Admission, Admitted } from "../admission/admission.ts";
import type { Principals } from "../admission/authenticate.ts";
import type { Credentials } from "../admission/credentials.ts";
import { readableByPages, tellsNothing } from "../headers/sandbox-origins.ts";
import { problemOf } from "../problem.ts";
import { jsonReply, type Reply } from "../reply.ts";
import { nothing, parse, parseHeaders, parseParams, parseQuery } from "./parse.ts";
import { readFileBody, readJsonBody, readTextBody } from "./read-body.ts";
import type { JsonRequest } from "./request.ts";
import { Rendered, WithHeaders } from "./with-headers.ts";

/** What a handler gets: the parsed input, whom it acts for, and a signal that aborts when the client leaves. */
export type Call<O extends Operation> = {
	readonly input: Input<O>;
	readonly principal: Principals[O["auth"]];
	/** Who asks, for the audit log. */
	readonly by: Actor;
	readonly signal: AbortSignal;
	/** For what is in no schema: cookies, and the kind of answer that is wanted. */
	readonly request: Pick<JsonRequest, "authorization" | "header" | "clientKey" | "requestId">;
};
/** Operations of the tenant plane whose answer is bytes of a media type. */
type FileName = {
	[K in OperationName]: Api[K] extends { plane: "tenant"; success: { content: string } } ? K : never;
}[OperationName];
export type ServedName = JsonOperationName | FileName;
/** A handler that is missing, has no operation, or answers the wrong shape does not compile. */
export type Handlers = {
	readonly [K in ServedName]: (
		call: Call<Api[K]>,
	) => Promise<K extends FileName ? Uint8Array<ArrayBuffer> : Output<Api[K]> | WithHeaders<Output<Api[K]>> | Rendered>;
};

type LooseCall = {
	readonly input: object;
	readonly principal: unknown;
	readonly by: Actor;
	readonly signal: AbortSignal;
	readonly request: JsonRequest;
};

type Creation = Api["createVideo"] | Api["createOutro"];

/** Answers one request for an operation, or throws the error to refuse it with. */
export type Serve = (request: JsonRequest) => Promise<Reply>;

type Gates = {
	readonly admit: Admission["admit"];
	readonly credentialsOf: (request: JsonRequest) => Credentials;
	readonly quotas: Quotas;
	/** Whether pages of any origin may read what a sandbox session is answered. */
	readonly pagesMayRead: boolean;
	readonly clock: Clock;
};

/**
 * Returns every operation that has a handler, with a function that serves it. The function checks credentials, rate
 * limits and rights first, then path ids, query and body. It parses answers before they are sent.
 */
export function serveOperations(
	handlers: Handlers,
	{ admit, credentialsOf, quotas, pagesMayRead, clock }: Gates,
): { readonly operation: Operation; readonly serve: Serve }[] {
	return (Object.keys(handlers) as ServedName[]).map((name) => {
		const operation: Operation = api[name];
		const handle = handlers[name] as (call: LooseCall) => Promise<unknown>;
		const answer = createAnswer(operation);
		const isOpen = pagesMayRead && operation.path.startsWith("/v1/");
		const serveAdmitted = async (request: JsonRequest, admitted: Admitted): Promise<Reply> => {
			const { principal, limited, countInput } = admitted;
			if (limited !== null)
				throw (await quotaFault(operation, request, principal as TenantPrincipal, quotas)) ?? limited;
			refuseSandbox(operation, principal);
			const read = readInput(operation, request);
			const input = read instanceof Promise ? await read : read;
			if (countInput !== null) await countInput(input);
			try {
				return answer(await handle(new OperationCall(input, admitted, request)));
			} catch (error) {
				if (!isReelmillError(error)) throw error;
				if (!listed(operation, error.code))
					throw new Error(`${name} threw ${error.code}, which its contract does not list`, { cause: error });
				throw restated(operation, error);
			}
		};
		const serve: Serve = async (request) => {
			const credentials = credentialsOf(request);
			let isReadable = isOpen && operation.auth === "none";
			try {
				const admitting = admit(name, credentials, request);
				const admitted = admitting instanceof Promise ? await admitting : admitting;
				isReadable ||= isOpen && isSandbox(admitted.principal);
				const reply = await serveAdmitted(request, admitted);
				return isReadable ? readableByPages(reply) : reply;
			} catch (error) {
				const problem = problemOf(error, clock.now());
				const mayRead = isReadable || (isOpen && credentials.session === null && tellsNothing(error));
				if (!mayRead || problem.status >= 500) throw error;
				return readableByPages(jsonReply(problem.status, problem.body, problem.headers));
			}
		};
		return { operation, serve };
	});
}

/** Creates the signal and the actor when a handler asks for them, because most handlers never need them. */
class OperationCall implements LooseCall {
	readonly input: object;
	readonly request: JsonRequest;
	readonly #admitted: Admitted;

	constructor(input: object, admitted: Admitted, request: JsonRequest) {
		this.input = input;
		this.request = request;
		this.#admitted = admitted;
	}

	get principal(): unknown {
		return this.#admitted.principal;
	}

	get by(): Actor {
		return this.#admitted.by();
	}

	get signal(): AbortSignal {
		return this.request.signal;
	}
}

/**
 * Returns what a quota refuses a rate-limited request with. Returns `null` if the quota lets it pass, or if another
 * check would refuse it first.
 */
async function quotaFault(
	operation: Operation,
	request: JsonRequest,
	principal: TenantPrincipal,
	quotas: Quotas,
): Promise<ReelmillError | null> {
	try {
		refuseSandbox(operation, principal);
		const { body, headers } = (await readInput(operation, request)) as Input<Creation>;
		return await quotas.fault(principal, body.file_size, headers["Idempotency-Key"]);
	} catch (error) {
		if (!isReelmillError(error)) throw error;
		return null;
	}
}

const isSandbox = (principal: Principals[Operation["auth"]]): boolean =>
	principal !== null && "kind" in principal && principal.kind === "sandbox";

/** Throws `sandbox_not_allowed` when a sandbox session calls an operation that is closed to it. */
function refuseSandbox(operation: Operation, principal: Principals[Operation["auth"]]): void {
	if (isSandbox(principal) && operation.sandbox === "refused") throw new ReelmillError("sandbox_not_allowed");
}

/** Returns what a request asks for; at once if it has no body. */
function readInput(operation: Operation, request: JsonRequest): object | Promise<object> {
	const params = parseParams(operation, request.params);
	const query = parseQuery(operation, request.query);
	const headers = parseHeaders(operation, request);
	const input = { params, query, headers };
	return operation.body === undefined && !request.hasBody ? input : readBody(operation, request, input);
}

async function readBody(operation: Operation, request: JsonRequest, input: object): Promise<object> {
	if (operation.body === undefined) {
		parse(nothing, await readJsonBody(request, { optional: true }));
		return input;
	}
	const { bodyOptional: optional, alsoMediaTypes, text, file: files } = operation;
	if (files !== undefined) {
		const sent = await readFileBody(request, files);
		return { ...input, body: "file" in sent ? sent.file : parse(operation.body, sent.json) };
	}
	const sent = text ? readTextBody(request, text) : readJsonBody(request, { optional, alsoMediaTypes });
	const body = parse(operation.body, await sent);
	return { ...input, body };
}

/** Creates the function that renders answers. */
function createAnswer(operation: Operation): (value: unknown) => Reply {
	const { success } = operation;
	const headers = answerHeaders(operation, success.status);
	return (answered) => {
		if (answered instanceof Rendered) return answered.reply;
		if (answered instanceof WithHeaders) {
			const reply = bare(answered.value);
			return { ...reply, headers: { ...reply.headers, ...answered.headers } };
		}
		return bare(answered);
	};
	function bare(value: unknown): Reply {
		if ("content" in success && success.content !== undefined)
			return file(success.content, value as Uint8Array<ArrayBuffer>, headers);
		if (!("body" in success) || success.body === undefined) return { status: success.status, headers: {}, body: null };
		if (value === undefined && operation.alternatives?.some(({ status }) => status === 204))
			return { status: 204, headers: {}, body: null };
		return jsonReply(success.status, success.body.parse(value), headers);
	}
}

const file = (contentType: string, body: Uint8Array<ArrayBuffer>, headers: Reply["headers"]): Reply => ({
	status: 200,
	headers: { "content-type": contentType, "content-length": String(body.byteLength), ...headers },
	body,
});

function listed(operation: Operation, code: ErrorCode): boolean {
	return operation.errors.includes(code) || commonErrors(operation).includes(code);
}

/** Returns the error with the status that this operation has for its code. */
function restated(operation: Operation, error: ReelmillError): ReelmillError {
	const status = operation.statuses?.[error.code];
	return status === undefined
		? error
		: new ReelmillError(error.code, { message: error.message, extras: error.extras, status, cause: error });
}
