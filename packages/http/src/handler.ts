import type { Engine } from "@reelmill/engine";
import { createClientOf } from "./client/client-address.ts";
import { createIgnoredForwards } from "./client/ignored-forwards.ts";
import { createJsonApplication } from "./json-application.ts";
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
 * {@link createNodeListener}. The handler answers 404 `not_found` to a request for anything else, also to a path that is
 * not in normal form. A Request has its segments of dots resolved already, so the handler can't refuse these.
 *
 * @throws {TypeError} when an entry of `trustedProxies` or `workerNetworks` is no CIDR.
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { createEngine } from "@reelmill/engine";
 * import { createHandler } from "@reelmill/http";
 * import { createWebhookTransport } from "@reelmill/outbound";
 * import { createPostgresDatabase } from "@reelmill/postgres";
 * import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
 *
 * const engine = createEngine({
 * 	database: createPostgresDatabase({ url: "postgres://127.0.0.1/reelmill" }),
 * 	uploads: createLocalUploadStore({ directory: "./uploads" }),
 * 	outputs: createLocalObjectStorage({ directory: "./outputs" }),
 * 	webhookTransport: createWebhookTransport({ allow: [] }),
 * 	masterKey: randomBytes(32),
 * 	baseUrl: "http://127.0.0.1:8787",
 * 	version: "1.0.0",
 * 	logger: { debug() {}, info() {}, warn() {}, error() {} },
 * });
 *
 * const handle = createHandler(engine);
 * const answer = await handle(new Request("http://127.0.0.1:8787/v1/health"), { peerAddress: "127.0.0.1" });
 * console.log(await answer.json()); // => { status: 'ok', version: '1.0.0' }
 * ```
 */
export function createHandler(engine: Engine, options: HttpOptions = {}): FetchHandler {
	const { handle } = createJsonApplication(engine, options);
	const requestIdOf = createRequestIdOf(engine.random);
	const clientOf = createClientOf(options.trustedProxies ?? [], createIgnoredForwards(engine.logger));
	return (request, connection) => {
		const client = clientOf(connection?.peerAddress, request.headers.get("x-forwarded-for"));
		return handle(request, {
			requestId: requestIdOf(request.headers.get("x-request-id")),
			clientKey: client.key,
			clientAddress: client.address,
		});
	};
}
