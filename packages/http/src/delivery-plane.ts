import { ReelmillError } from "@reelmill/contracts";
import type { Engine, ServedFile } from "@reelmill/engine";
import { createDescribeFile, openToAll, preflightHeaders } from "./delivery/headers.ts";
import { parseDeliveryPath } from "./delivery/path.ts";
import { matchesNone, rangeStands } from "./headers/conditional.ts";
import type { Exchange } from "./node/exchange.ts";
import { sendRanged } from "./node/ranged.ts";
import { respond } from "./node/respond.ts";
import type { SendBytes } from "./node/send-bytes.ts";
import type { Plane } from "./plane.ts";

/**
 * Creates the plane that serves outputs under /videos/: GET and HEAD with Range, ETag, If-None-Match and If-Range, and
 * preflights.
 */
export function createDeliveryPlane(engine: Engine, sendBytes: SendBytes): Plane {
	const describeFile = createDescribeFile();
	const open = ({ request: { method }, authorization, path: asked }: Exchange): ServedFile | Promise<ServedFile> => {
		if (method !== "GET" && method !== "HEAD") throw new ReelmillError("not_found");
		const { videoId, path } = parseDeliveryPath(asked);
		return engine.serving.openNow({ videoId, path, authorization });
	};
	const send = (exchange: Exchange, file: ServedFile): Promise<void> | undefined => {
		const { headers } = exchange.request;
		const described = describeFile(file, { origin: headers.origin, namesEdit: exchange.query.has("v") });
		if (matchesNone(headers["if-none-match"], file.etag)) return respond(exchange, { status: 304, headers: described });
		const range = rangeStands(single(headers["if-range"]), file.etag) ? headers.range : undefined;
		return sendRanged(exchange, file, { range, headers: described }, sendBytes);
	};
	const answer: Plane = (exchange) => {
		const counted = engine.rateLimits.take("delivery", exchange.clientKey);
		if (counted !== undefined) return counted.then(() => open(exchange)).then((file) => send(exchange, file));
		const file = open(exchange);
		return file instanceof Promise ? file.then((opened) => send(exchange, opened)) : send(exchange, file);
	};
	return (exchange) => {
		if (exchange.request.method === "OPTIONS") return respond(exchange, { status: 204, headers: preflightHeaders });
		const refused = (error: unknown) => refuse(exchange, error);
		try {
			return answer(exchange)?.catch(refused);
		} catch (error) {
			return refused(error);
		}
	};
}

/**
 * Throws the error after it has let any origin read the answer. CORS headers that were already set for a file stay:
 * they say who may read an answer about that file.
 */
function refuse({ response }: Exchange, error: unknown): never {
	if (!response.headersSent && !response.hasHeader("access-control-expose-headers")) openToAll(response);
	throw error;
}

const single = (header: string | string[] | undefined): string | undefined =>
	Array.isArray(header) ? header[0] : header;
