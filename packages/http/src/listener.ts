import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { createClientOf } from "./client/client-address.ts";
import { createIgnoredForwards } from "./client/ignored-forwards.ts";
import { createConsolePagePlane, isConsolePage, leadToConsole } from "./console-page-plane.ts";
import { createByteRates } from "./delivery/byte-rates.ts";
import { createPacedSendBytes } from "./delivery/pace.ts";
import { createDeliveryPlane } from "./delivery-plane.ts";
import { anyOriginHeaders } from "./headers/any-origin.ts";
import { dateAnswer } from "./headers/date.ts";
import { createInternalPlane, isBinaryRoute } from "./internal-plane.ts";
import { createJsonApplication } from "./json-application.ts";
import { createJsonPlane } from "./json-plane.ts";
import { type Exchange, exchangeOf } from "./node/exchange.ts";
import { refusalOfRequest } from "./node/malformed-request.ts";
import { isNormalPath } from "./node/normal-path.ts";
import { respondProblem } from "./node/respond.ts";
import { createSendBytes } from "./node/send-bytes.ts";
import { defaultIdleTimeoutSeconds, type HttpOptions } from "./options.ts";
import type { Plane } from "./plane.ts";
import { planeNameOf } from "./plane-name.ts";
import { problemOf } from "./problem.ts";
import { createRequestIdOf } from "./request-context.ts";
import { createRunningRequests } from "./running-requests.ts";
import { createTraceRequest, inSpan } from "./tracing/trace-requests.ts";
import { createLocker } from "./upload/locker.ts";
import { createUploadPlane } from "./upload-plane.ts";

const refuse =
	(error: ReelmillError): Plane =>
	({ response, path }) => {
		for (const [name, value] of Object.entries(anyOriginHeaders(planeNameOf(path)))) response.setHeader(name, value);
		throw error;
	};

/** A listener for the `request` event of a Node server. */
export type NodeListener = ((request: IncomingMessage, response: ServerResponse) => void) & {
	/**
	 * Resolves when no request is being worked on, including requests whose client has left. Then a program may close
	 * what the engine stands on.
	 */
	settled(): Promise<void>;
};

/**
 * Creates a listener that serves all planes of the engine on a Node server: `http.createServer(listener)`, Express'
 * `app.use(listener)`, or a hijacked Fastify reply. It answers every request (404 `not_found` for an unknown path), and
 * it never throws. It reads request bodies itself, so no body parser may run before it.
 *
 * Pass the server to {@link guardServer}, which limits the time for a request's head and lifts Node's limit on the
 * whole request. Node's limit would cut slow uploads; the listener limits pauses instead, by `idleTimeoutSeconds`.
 *
 * @throws {TypeError} when an entry of `trustedProxies` or `workerNetworks` is no CIDR.
 * @throws {Error} when the folder of the console can't be read or has no index.html.
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { once } from "node:events";
 * import { createServer } from "node:http";
 * import { createEngine } from "@reelmill/engine";
 * import { createNodeListener, guardServer } from "@reelmill/http";
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
 * const listener = createNodeListener(engine);
 * const server = guardServer(createServer(listener), { logger: engine.logger }).listen(8787);
 * await once(server, "listening");
 * const answer = await fetch("http://127.0.0.1:8787/v1/health");
 * console.log(await answer.json()); // => { status: 'ok', version: '1.0.0' }
 *
 * server.close();
 * await listener.settled();
 * ```
 */
export function createNodeListener(engine: Engine, options: HttpOptions = {}): NodeListener {
	const { logger, clock, random } = engine;
	const requestIdOf = createRequestIdOf(random);
	const clientOf = createClientOf(options.trustedProxies ?? [], createIgnoredForwards(logger));
	const planes = createPlanes(engine, options);
	const running = createRunningRequests();
	const traceRequest = createTraceRequest(engine);

	const answerError = async (exchange: Exchange, error: unknown): Promise<void> => {
		const { request, response, requestId, path } = exchange;
		const failed = (cause: unknown, message: string) =>
			logger.error({ request_id: requestId, method: request.method, path, error: cause }, message);
		const problem = problemOf(error, clock.now());
		if (problem.status >= 500) failed(error, "request failed");
		try {
			await respondProblem(exchange, problem);
		} catch (cause) {
			failed(cause, "answer failed");
			response.destroy();
		}
	};

	const listener = (request: IncomingMessage, response: ServerResponse): void => {
		const startedAt = clock.elapsed();
		dateAnswer(response, clock);
		const requestId = requestIdOf(request.headers["x-request-id"]?.toString());
		const client = clientOf(request.socket.remoteAddress, request.headers["x-forwarded-for"]?.toString());
		const exchange = exchangeOf(request, response, {
			requestId,
			clientKey: client.key,
			clientAddress: client.address,
		});
		const { method } = request;
		const { path } = exchange;
		const ended = options.observe?.(planeNameOf(path));
		response.on("close", () => {
			const { statusCode: status, writableFinished: complete } = response;
			const milliseconds = clock.elapsed() - startedAt;
			ended?.({ status, complete, seconds: milliseconds / 1000, slowed: exchange.slowed === true });
			inSpan(exchange, () =>
				logger.debug(
					{ request_id: requestId, method, path, status, complete, duration_ms: Math.round(milliseconds) },
					"request",
				),
			);
		});
		const malformed = refusalOfRequest(request);
		const plane = malformed === null ? planeOf(planes, exchange) : refuse(malformed);
		// Other planes send this header with all others at once, which is cheaper: Node then stores none of them first.
		if (plane === planes.upload) response.setHeader("x-request-id", requestId);
		running.begin();
		const refused = (error: unknown) => answerError(exchange, error);
		const answer = (): Promise<void> | undefined => {
			try {
				return plane(exchange)?.catch(refused);
			} catch (error) {
				return refused(error);
			}
		};
		const answering = traceRequest(exchange, answer);
		if (answering === undefined) running.end();
		else void answering.then(running.end);
	};
	return Object.assign(listener, { settled: running.settled });
}

type Planes = Readonly<Record<"upload" | "delivery" | "internal" | "json", Plane>> & {
	/** Undefined if the server leaves the web console out. */
	readonly consolePage: Plane | undefined;
};

function createPlanes(engine: Engine, options: HttpOptions): Planes {
	const { baseUrl, clock, random } = engine;
	const { archiveBytes, spoolDirectory, draining, sendFile, deliveryBytesPerSecond: rate, console: page } = options;
	const idleMilliseconds = (options.idleTimeoutSeconds ?? defaultIdleTimeoutSeconds) * 1000;
	const sendBytes = createSendBytes(idleMilliseconds, sendFile);
	const paced = rate === undefined ? sendBytes : createPacedSendBytes(sendBytes, createByteRates(rate, clock), clock);
	const locker = createLocker(engine.uploads.lease);
	const internal = { archiveBytes, spoolDirectory, idleMilliseconds, random, clock, sendBytes };
	return {
		upload: createUploadPlane(engine, { baseUrl, idleMilliseconds, locker }),
		delivery: createDeliveryPlane(engine, paced),
		internal: createInternalPlane(engine, internal),
		json: createJsonPlane(createJsonApplication(engine, options), { clock, idleMilliseconds, draining }),
		consolePage: page && createConsolePagePlane(baseUrl, page.directory),
	};
}

/**
 * Returns the plane that answers a request. The JSON planes also answer what nothing else does, such as a path that a
 * proxy's rules may have taken for another one. The delivery plane resolves no path, and has a refusal of its own for it.
 */
function planeOf(planes: Planes, { request, path }: Exchange): Plane {
	if (path.startsWith("/videos/")) return planes.delivery;
	if (!isNormalPath(path)) return planes.json;
	if (path === "/uploads" || path.startsWith("/uploads/")) return planes.upload;
	if (planes.consolePage !== undefined) {
		if (isConsolePage(path)) return planes.consolePage;
		if (path === "/") return leadToConsole;
	}
	return isBinaryRoute(request.method, path) ? planes.internal : planes.json;
}
