import { ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Plane } from "../node/exchange.ts";
import { sendRanged } from "../node/ranged.ts";
import { respond } from "../node/respond.ts";
import { matchesNone, rangeStands } from "./conditional.ts";
import { describeFile, openToAll, preflightHeaders } from "./headers.ts";
import { parseDeliveryPath } from "./path.ts";

/** Serves outputs under /videos/: GET and HEAD with Range, ETag, If-None-Match and If-Range, and preflights. */
export function createDeliveryPlane(engine: Engine, idleMilliseconds: number): Plane {
	return async (exchange) => {
		const { request, response, authorization } = exchange;
		if (request.method === "OPTIONS") return respond(exchange, { status: 204, headers: preflightHeaders });
		openToAll(response);
		await engine.rateLimits.take("delivery", exchange.clientKey);
		if (request.method !== "GET" && request.method !== "HEAD") throw new ReelmillError("not_found");
		const file = await engine.delivery.open({ ...parseDeliveryPath(exchange.path), authorization });
		const { headers } = request;
		describeFile(response, file, headers.origin);
		if (matchesNone(headers["if-none-match"], file.etag)) return respond(exchange, { status: 304 });
		const range = rangeStands(single(headers["if-range"]), file.etag) ? headers.range : undefined;
		return sendRanged(exchange, file, range, idleMilliseconds);
	};
}

const single = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);
