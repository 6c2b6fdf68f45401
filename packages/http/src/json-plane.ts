import { getRequestListener, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Operation, ReelmillError } from "@reelmill/contracts";
import type { Clock } from "@reelmill/engine";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { anyOriginHeaders } from "./headers/any-origin.ts";
import { routePath } from "./json/mount.ts";
import { NodeRequest } from "./json/node-request.ts";
import type { Serve } from "./json/operations.ts";
import type { JsonApplication } from "./json-application.ts";
import type { Exchange } from "./node/exchange.ts";
import { isNormalPath } from "./node/normal-path.ts";
import { respond } from "./node/respond.ts";
import type { Plane } from "./plane.ts";
import { planeNameOf } from "./plane-name.ts";
import { problemOf } from "./problem.ts";
import type { SendReply } from "./reply.ts";
import { nameByRoute } from "./tracing/trace-requests.ts";

/** A path that decoding and normalising leave as it is. */
const plain = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

type Settings = {
	readonly clock: Clock;
	readonly idleMilliseconds: number;
	readonly draining: AbortSignal | undefined;
};

/**
 * Creates the JSON planes on the raw server. hono's router alone finds the operation of a plain path, which is then
 * served from Node's request. All other requests (pages, HEAD, escaped and unknown paths) go the slower way through
 * hono and @hono/node-server.
 */
export function createJsonPlane({ operations, handle, refuseUnknown }: JsonApplication, settings: Settings): Plane {
	const match = createMatch(operations);
	const throughHono = createHonoPlane(handle, settings.clock);

	return async (exchange) => {
		if (!isNormalPath(exchange.path)) {
			const { response, request, path, clientKey } = exchange;
			for (const [name, value] of Object.entries(anyOriginHeaders(planeNameOf(path)))) response.setHeader(name, value);
			return refuseUnknown(request.method, path, new NodeRequest(exchange, {}, settings), clientKey);
		}
		const found = plain.test(exchange.path) ? match(exchange.request.method ?? "", exchange.path) : null;
		if (found === null) return throughHono(exchange);
		nameByRoute(exchange, found.operation);
		await respond(exchange, await found.serve(new NodeRequest(exchange, found.params, settings)));
	};
}

type Served = { readonly operation: Operation; readonly serve: Serve };
type Match = Served & { readonly params: Readonly<Record<string, string>> };

/**
 * Returns a router. A path without parameters wins over one with them: `jobs/claim` is not the job with the id claim.
 */
function createMatch(operations: JsonApplication["operations"]): (method: string, path: string) => Match | null {
	const fixed = new Map<string, Map<string, Match>>();
	let longestFixed = 0;
	const router = new RegExpRouter<Served>();
	for (const served of operations) {
		const { method, path, params } = served.operation;
		if (!fixed.has(method)) fixed.set(method, new Map());
		if (params !== undefined) router.add(method, routePath(path), served);
		else {
			fixed.get(method)?.set(path, { ...served, params: {} });
			longestFixed = Math.max(longestFixed, path.length);
		}
	}
	return (method, path) => {
		// A map makes each text that it is asked for one of the texts that V8 keeps once: most paths with an id are longer.
		const found = path.length > longestFixed ? undefined : fixed.get(method)?.get(path);
		if (found !== undefined) return found;
		const [[first] = [], stash] = router.match(method, path);
		if (first === undefined) return null;
		const [served, places] = first;
		const params: Record<string, string> = {};
		for (const name in places) {
			const place = places[name];
			params[name] = (typeof place === "number" ? stash?.[place] : place) ?? "";
		}
		return { ...served, params };
	};
}

function createHonoPlane(handle: JsonApplication["handle"], clock: Clock): Plane {
	const exchanges = new WeakMap<object, Exchange>();
	const handleOne = async (sent: Request, { outgoing }: HttpBindings | Http2Bindings): Promise<Response> => {
		const exchange = exchanges.get(outgoing) as Exchange;
		let sending: Promise<void> | undefined;
		const reply: SendReply = (answer) => {
			sending = respond(exchange, answer);
			return RESPONSE_ALREADY_SENT;
		};
		const { requestId, clientKey, clientAddress } = exchange;
		const answer = await handle(sent, { requestId, clientKey, clientAddress, reply });
		await sending;
		return answer;
	};
	const malformed = () => {
		const { status, headers, body } = problemOf(new ReelmillError("bad_request"), clock.now());
		return new Response(JSON.stringify(body), { status, headers });
	};
	const listen = getRequestListener(handleOne, { overrideGlobalObjects: false, errorHandler: malformed });
	return async (exchange) => {
		exchanges.set(exchange.response, exchange);
		exchange.response.setHeader("x-request-id", exchange.requestId);
		await listen(exchange.request, exchange.response);
	};
}
