import { api, type Operation, type OperationName, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { Hono, type HonoRequest } from "hono";
import { createAdmission } from "./admission/admission.ts";
import { createAuthenticate } from "./admission/authenticate.ts";
import { type CredentialHeaders, createCredentialsOf } from "./admission/credentials.ts";
import { createIsWithin } from "./client/client-address.ts";
import { createHandlers } from "./handlers/index.ts";
import { isPreflight, sandboxPreflight } from "./headers/sandbox-origins.ts";
import { mountOperations } from "./json/mount.ts";
import { serveOperations } from "./json/operations.ts";
import { send } from "./json/send.ts";
import { isNormalPath } from "./node/normal-path.ts";
import { defaultIdleTimeoutSeconds, type HttpOptions } from "./options.ts";
import { mountPages } from "./pages/mount.ts";
import { problemOf } from "./problem.ts";
import { jsonReply } from "./reply.ts";
import type { RequestContext, RequestEnv } from "./request-context.ts";

export type JsonApplication = {
	/** Every operation, for a caller with a router of its own. */
	readonly operations: ReturnType<typeof serveOperations>;
	/**
	 * Throws `not_found` for a request that nothing here is for. Under /v1 it counts towards its limits first, and throws
	 * `rate_limited` if it is over them.
	 */
	readonly refuseUnknown: (
		method: string | undefined,
		path: string,
		headers: CredentialHeaders,
		clientKey: string,
	) => Promise<never>;
	/** Answers a request whose id and client the caller knows. Never rejects. */
	readonly handle: (request: Request, context: RequestContext) => Promise<Response>;
};

/** Creates all that the JSON planes serve. */
export function createJsonApplication(engine: Engine, options: HttpOptions): JsonApplication {
	const { baseUrl, logger, clock } = engine;
	const { idleTimeoutSeconds = defaultIdleTimeoutSeconds } = options;
	const app = new Hono<RequestEnv>();
	const { admit, countUnknown } = createAdmission(
		createAuthenticate(engine, options.adminKey),
		engine.keys.peek,
		engine.rateLimits,
		createIsWithin(options.workerNetworks ?? []),
		engine.accounts.isRenewable,
	);
	const credentialsOf = createCredentialsOf(baseUrl);
	const gates = { admit, credentialsOf, quotas: engine.quotas, pagesMayRead: engine.sandbox.isOn, clock };
	const all = serveOperations(createHandlers(engine, options), gates);
	// Without a sandbox its route is unknown: it must not reach the limit of sandbox sessions, nor be in a document. The
	// same holds of the console.
	const isAbsent = (operation: Operation): boolean =>
		(!engine.sandbox.isOn && operation === api.createSandboxSession) ||
		(!engine.console.isOn && isOfConsole(operation));
	const operations = all.filter(({ operation }) => !isAbsent(operation));
	const absent = operationNames.filter((name) => isAbsent(api[name]));
	const refuseUnknown: JsonApplication["refuseUnknown"] = async (method, path, headers, clientKey) => {
		if (path.startsWith("/v1/") && method !== "OPTIONS") await countUnknown(credentialsOf(headers), clientKey);
		throw new ReelmillError("not_found");
	};
	// A Request has its segments of dots resolved; nobody can tell any more how they were sent.
	app.use(async ({ req, env }, next) => {
		const { pathname } = new URL(req.url);
		if (!isNormalPath(pathname)) return refuseUnknown(req.method, pathname, credentialHeaders(req), env.clientKey);
		return next();
	});
	mountOperations(app, operations, idleTimeoutSeconds * 1000);
	mountPages(app, { baseUrl, unserved: absent, reference: options.reference?.directory });
	if (engine.sandbox.isOn)
		app.options("/v1/*", async (context, next) =>
			isPreflight((name) => context.req.header(name))
				? send(context, { status: 204, headers: sandboxPreflight, body: null })
				: next(),
		);
	app.notFound(({ req, env }) => refuseUnknown(req.method, req.path, credentialHeaders(req), env.clientKey));
	app.onError((error, context) => {
		const problem = problemOf(error, clock.now());
		if (problem.status >= 500)
			logger.error(
				{ request_id: context.env.requestId, method: context.req.method, path: context.req.path, error },
				"request failed",
			);
		return send(context, jsonReply(problem.status, problem.body, problem.headers));
	});
	return { operations, refuseUnknown, handle: async (request, requestContext) => app.fetch(request, requestContext) };
}

const operationNames = Object.keys(api) as OperationName[];
/** Tells whether an operation serves nothing but the console. */
const isOfConsole = ({ plane, path }: Operation): boolean =>
	plane === "console" || path.startsWith("/admin/v1/console-accounts");

const credentialHeaders = (request: HonoRequest): CredentialHeaders => ({
	authorization: request.header("authorization") ?? null,
	header: (name) => request.header(name) ?? null,
});
