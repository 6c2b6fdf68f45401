import type { ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Engine } from "@reelmill/engine";
import { Hono } from "hono";
import { basePath } from "hono/route";
import { createNodeListener } from "./listener.ts";
import type { HttpOptions } from "./options.ts";

/** A Hono application that serves an engine. */
export type HonoApp = Hono<{ Bindings: HttpBindings }> & {
	/** Resolves when no request is being worked on: see `NodeListener`. */
	settled(): Promise<void>;
};

/**
 * Creates a Hono application with all planes of the engine, for `getRequestListener` of @hono/node-server. It can be
 * mounted below a path of another application: `app.route("/media", createHonoApp(engine))`. The engine's `baseUrl` then
 * ends in `/media`.
 *
 * Middleware may stand before it. It may answer in its place, set headers of the answer by `context.header` before it
 * calls `next`, and see the answer's status afterwards. The answer goes straight to Node's response, so middleware can't
 * change it after `next`, and may not read the request's body.
 *
 * Pass the server to {@link guardServer}, as for {@link createNodeListener}.
 *
 * @throws {TypeError} when an entry of `trustedProxies` or `workerNetworks` is no CIDR.
 * @throws {Error} when the folder of the console can't be read or has no index.html.
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { once } from "node:events";
 * import { createServer } from "node:http";
 * import { getRequestListener } from "@hono/node-server";
 * import { createEngine } from "@reelmill/engine";
 * import { createHonoApp, guardServer } from "@reelmill/http";
 * import { createWebhookTransport } from "@reelmill/outbound";
 * import { createPostgresDatabase } from "@reelmill/postgres";
 * import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
 * import { Hono } from "hono";
 *
 * const engine = createEngine({
 * 	database: createPostgresDatabase({ url: "postgres://127.0.0.1/reelmill" }),
 * 	uploads: createLocalUploadStore({ directory: "./uploads" }),
 * 	outputs: createLocalObjectStorage({ directory: "./outputs" }),
 * 	webhookTransport: createWebhookTransport({ allow: [] }),
 * 	masterKey: randomBytes(32),
 * 	baseUrl: "http://127.0.0.1:8787/media",
 * 	version: "1.0.0",
 * 	logger: { debug() {}, info() {}, warn() {}, error() {} },
 * });
 *
 * const media = createHonoApp(engine);
 * const app = new Hono().get("/", (context) => context.text("my own")).route("/media", media);
 * const server = guardServer(createServer(getRequestListener(app.fetch)), { logger: engine.logger }).listen(8787);
 * await once(server, "listening");
 * const answer = await fetch("http://127.0.0.1:8787/media/v1/health");
 * console.log(await answer.json()); // => { status: 'ok', version: '1.0.0' }
 *
 * server.close();
 * await media.settled();
 * ```
 */
export function createHonoApp(engine: Engine, options: HttpOptions = {}): HonoApp {
	const listener = createNodeListener(engine, options);
	const app = new Hono<{ Bindings: HttpBindings }>();
	app.all("*", async (context) => {
		const { incoming, outgoing } = context.env;
		const prefix = basePath(context);
		// A target that begins otherwise is absolute, or not in normal form: as it stands, nothing is found there.
		if (prefix !== "/" && incoming.url?.startsWith(prefix))
			incoming.url = incoming.url.slice(prefix.length).replace(/^(?!\/)/, "/");
		for (const [name, value] of context.body(null).headers) outgoing.setHeader(name, value);
		writeHeadOnce(outgoing);
		// A client that has left is no failure of the application.
		const answered = finished(outgoing).catch(() => undefined);
		listener(incoming, outgoing);
		await answered;
		return new Response(null, { status: outgoing.statusCode, headers: RESPONSE_ALREADY_SENT.headers });
	});
	return Object.assign(app, { settled: listener.settled });
}

/**
 * @hono/node-server leaves an answer alone that says by a header that it went out already, but doesn't look at it where
 * it has replaced the global Response, of which Hono makes a copy wherever middleware has set something.
 */
function writeHeadOnce(outgoing: ServerResponse): void {
	const writeHead = outgoing.writeHead.bind(outgoing) as (...head: unknown[]) => ServerResponse;
	outgoing.writeHead = (...head: unknown[]) => (outgoing.headersSent ? outgoing : writeHead(...head));
}
