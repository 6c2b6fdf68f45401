import type { IncomingMessage, ServerResponse } from "node:http";
import { ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { createClientKeyOf } from "./client/client-address.ts";
import { createIgnoredForwards } from "./client/ignored-forwards.ts";
import { createDeliveryPlane } from "./delivery-plane.ts";
import { anyOriginHeaders } from "./headers/any-origin.ts";
import { dateAnswer } from "./headers/date.ts";
import { createInternalPlane, isBinaryRoute } from "./internal-plane.ts";
import { createJsonApplication } from "./json/application.ts";
import { createJsonPlane } from "./json-plane.ts";
import { type Exchange, exchangeOf } from "./node/exchange.ts";
import { respondProblem } from "./node/respond.ts";
import { createSendBytes } from "./node/send-bytes.ts";
import { defaultIdleTimeoutSeconds, type HttpOptions } from "./options.ts";
import { type Plane, planeNameOf } from "./plane.ts";
import { problemOf } from "./problem.ts";
import { createRequestIdOf } from "./request-context.ts";
import { createLocker } from "./upload/locker.ts";
import { createUploadPlane } from "./upload-plane.ts";

/**
 * What Node lets pass where the server is guarded, so that it is refused with the contract's body and not without any.
 */
function misfitOf({ headers, httpVersion, url = "/" }: IncomingMessage): ReelmillError | null {
	// RFC 9110, section 4.2.4: such an address is an error, and Fetch takes none.
	if (!url.startsWith("/") && URL.canParse(url) && new URL(url).username + new URL(url).password !== "")
		return new ReelmillError("bad_request", { message: "The target holds a name or a password." });
	if (httpVersion !== "1.1") return null;
	if (headers.host === undefined)
		return new ReelmillError("bad_request", { message: "A request by HTTP/1.1 needs the header Host." });
	if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return null;
	return new ReelmillError("bad_request", { status: 417, message: "Nothing can be expected but 100-continue." });
}

const refuseMisfit =
	(misfit: ReelmillError): Plane =>
	async ({ response, path }) => {
		for (const [name, value] of Object.entries(anyOriginHeaders(planeNameOf(path)))) response.setHeader(name, value);
		throw misfit;
	};

export type NodeListener = ((request: IncomingMessage, response: ServerResponse) => void) & {
	/**
	 * Resolves when nothing is being done for any request, also for one whose client has left: then what stands below the
	 * listener may be closed.
	 */
	settled(): Promise<void>;
};

/**
 * Serves all planes of the engine on a Node server: `http.createServer(listener)`, Express' `app.use(listener)`, or a
 * hijacked Fastify reply. It answers every request it is given (404 `not_found` for what it doesn't know), needs the
 * body unread, and never throws. Give the server to `guardServer`: that limits the time for a request's head, and lifts
 * Node's limit on the whole, which would cut a slow upload; pauses are limited here, by `idleTimeoutSeconds`.
 */
export function createNodeListener(engine: Engine, options: HttpOptions = {}): NodeListener {
	const { baseUrl, logger, clock, random } = engine;
	const idleMilliseconds = (options.idleTimeoutSeconds ?? defaultIdleTimeoutSeconds) * 1000;
	const sendBytes = createSendBytes(idleMilliseconds, options.sendFile);
	const requestIdOf = createRequestIdOf(random);
	const clientKeyOf = createClientKeyOf(options.trustedProxies ?? [], createIgnoredForwards(logger));
	const upload = createUploadPlane(engine, { baseUrl, idleMilliseconds, locker: createLocker(engine.uploads.lease) });
	const delivery = createDeliveryPlane(engine, sendBytes);
	const { archiveBytes, spoolDirectory } = options;
	const internal = createInternalPlane(engine, {
		archiveBytes,
		spoolDirectory,
		idleMilliseconds,
		random,
		clock,
		sendBytes,
	});
	const json = createJsonPlane(createJsonApplication(engine, options), {
		clock,
		idleMilliseconds,
		draining: options.draining,
	});

	const planeOf = ({ request, path }: Exchange): Plane => {
		const misfit = misfitOf(request);
		if (misfit !== null) return refuseMisfit(misfit);
		if (path === "/uploads" || path.startsWith("/uploads/")) return upload;
		if (path.startsWith("/videos/")) return delivery;
		return isBinaryRoute(request.method, path) ? internal : json;
	};

	let working = 0;
	const waiting: (() => void)[] = [];
	const done = () => {
		working--;
		if (working === 0) for (const resolve of waiting.splice(0)) resolve();
	};
	const listener = (request: IncomingMessage, response: ServerResponse): void => {
		const startedAt = clock.elapsed();
		dateAnswer(response, clock);
		const requestId = requestIdOf(request.headers["x-request-id"]?.toString());
		const clientKey = clientKeyOf(request.socket.remoteAddress, request.headers["x-forwarded-for"]?.toString());
		const exchange = exchangeOf(request, response, { requestId, clientKey });
		const { method } = request;
		const { path } = exchange;
		const ended = options.observe?.(planeNameOf(path));
		response.on("close", () => {
			const { statusCode: status, writableFinished: complete } = response;
			const milliseconds = clock.elapsed() - startedAt;
			ended?.({ status, complete, seconds: milliseconds / 1000 });
			logger.debug(
				{ request_id: requestId, method, path, status, complete, duration_ms: Math.round(milliseconds) },
				"request",
			);
		});
		const failed = (error: unknown, message: string) =>
			logger.error({ request_id: requestId, method, path, error }, message);
		const plane = planeOf(exchange);
		// Not where it is sent with all other headers: those that come all at once Node need not keep one by one first.
		if (plane === upload) response.setHeader("x-request-id", requestId);
		const answer = async (error: unknown) => {
			const problem = problemOf(error, clock.now());
			if (problem.status >= 500) failed(error, "request failed");
			try {
				await respondProblem(exchange, problem);
			} catch (cause) {
				failed(cause, "answer failed");
				response.destroy();
			}
		};
		working++;
		void plane(exchange).catch(answer).then(done);
	};
	return Object.assign(listener, {
		settled: () => (working === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
	});
}
