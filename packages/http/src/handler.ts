import { api, type OperationName, ReelmillError } from "@reelmill/contracts";
import { createCalmLogger, type Engine, systemRandom } from "@reelmill/engine";
import { Hono } from "hono";
import { createAdmission } from "./admission.ts";
import { createClientKeyOf, createIsWithin } from "./client-address.ts";
import { createHandlers } from "./handlers/index.ts";
import { createIgnoredForwards } from "./ignored-forwards.ts";
import { mountOperations } from "./json/mount.ts";
import { serveOperations } from "./json/operations.ts";
import { mountPages } from "./json/pages.ts";
import { jsonReply, send } from "./json/reply.ts";
import { defaultIdleTimeoutSeconds, type HttpOptions } from "./options.ts";
import { createAuthenticate } from "./principals.ts";
import { problemOf } from "./problem.ts";
import { createRequestIdOf, type RequestContext, type RequestEnv } from "./request-id.ts";
import { unserved } from "./unserved.ts";

/**
 * Answers one request. It never rejects: a failure is an answer. `peerAddress` is the IP address that the connection
 * comes from; requests without credentials are counted by it towards the rate limits, and all as one client where it
 * isn't given.
 */
export type FetchHandler = (
	request: Request,
	connection?: { readonly peerAddress?: string | undefined },
) => Promise<Response>;

/**
 * Serves everything of the engine that is JSON, and the API's documents: tenant, internal and admin planes, health,
 * OpenAPI, reference. Uploads, delivery and the workers' archives need the raw Node server: see `createNodeListener`.
 * What isn't served is 404 `not_found`.
 */
export function createHandler(engine: Engine, options: HttpOptions): FetchHandler {
	const { handle } = createJsonPlanes(engine, options);
	const requestIdOf = createRequestIdOf(options.random ?? systemRandom);
	const clientKeyOf = createClientKeyOf(options.trustedProxies ?? [], createIgnoredForwards(options.logger));
	return (request, connection) =>
		handle(request, {
			requestId: requestIdOf(request.headers.get("x-request-id")),
			clientKey: clientKeyOf(connection?.peerAddress, request.headers.get("x-forwarded-for")),
		});
}

export type JsonPlanes = {
	/** Each operation, for a caller with a router of its own. */
	readonly operations: ReturnType<typeof serveOperations>;
	/** {@link createHandler} for a caller that knows the request's id and client. */
	readonly handle: (request: Request, context: RequestContext) => Promise<Response>;
};

export function createJsonPlanes(engine: Engine, options: HttpOptions): JsonPlanes {
	const { idleTimeoutSeconds = defaultIdleTimeoutSeconds } = options;
	const logger = createCalmLogger(options.logger, engine.clock);
	const app = new Hono<RequestEnv>();
	const { admit, countUnknown } = createAdmission(
		createAuthenticate(engine, options.adminKey),
		engine.rateLimits,
		createIsWithin(options.workerNetworks ?? []),
	);
	const all = serveOperations(createHandlers(engine, options), { admit, quotas: engine.quotas });
	// Without a sandbox its route is as unknown as any other: no limit of its own answers first, and no document has it.
	const operations = engine.sandbox.isOn ? all : all.filter(({ operation }) => operation !== api.createSandboxSession);
	const absent: readonly OperationName[] = engine.sandbox.isOn ? unserved : [...unserved, "createSandboxSession"];
	mountOperations(app, operations, idleTimeoutSeconds * 1000);
	mountPages(app, { baseUrl: options.baseUrl, unserved: absent });
	app.notFound(async ({ req, env }) => {
		if (req.path.startsWith("/v1/") && req.method !== "OPTIONS")
			await countUnknown(req.header("authorization") ?? null, env.clientKey);
		throw new ReelmillError("not_found");
	});
	app.onError((error, context) => {
		const problem = problemOf(error, engine.clock.now());
		if (problem.status >= 500)
			logger.error(
				{ request_id: context.env.requestId, method: context.req.method, path: context.req.path, error },
				"request failed",
			);
		return send(context, jsonReply(problem.status, problem.body, problem.headers));
	});
	return { operations, handle: async (request, requestContext) => app.fetch(request, requestContext) };
}
