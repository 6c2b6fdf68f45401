import type { Engine } from "@reelmill/engine";
import { createClientKeyOf } from "./client/client-address.ts";
import { createIgnoredForwards } from "./client/ignored-forwards.ts";
import { createJsonApplication } from "./json/application.ts";
import type { HttpOptions } from "./options.ts";
import { createRequestIdOf } from "./request-context.ts";

/**
 * Answers one request. It never rejects: a failure is an answer. `peerAddress` is the IP address that the connection
 * comes from. Rate limits count requests without credentials by this address; without it, all such requests count as
 * one client.
 */
export type FetchHandler = (
	request: Request,
	connection?: { readonly peerAddress?: string | undefined },
) => Promise<Response>;

/**
 * Creates a Fetch handler that serves everything of the engine that is JSON, and the API's documents: tenant, internal
 * and admin planes, health, OpenAPI, reference. Uploads, delivery and the workers' archives need a raw Node server: see
 * {@link createNodeListener}. The handler answers 404 `not_found` to a request for anything else.
 */
export function createHandler(engine: Engine, options: HttpOptions = {}): FetchHandler {
	const { handle } = createJsonApplication(engine, options);
	const requestIdOf = createRequestIdOf(engine.random);
	const clientKeyOf = createClientKeyOf(options.trustedProxies ?? [], createIgnoredForwards(engine.logger));
	return (request, connection) =>
		handle(request, {
			requestId: requestIdOf(request.headers.get("x-request-id")),
			clientKey: clientKeyOf(connection?.peerAddress, request.headers.get("x-forwarded-for")),
		});
}
