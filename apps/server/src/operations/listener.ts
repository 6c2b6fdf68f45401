import type { RequestListener, ServerResponse } from "node:http";
import type { Readiness } from "@reelmill/contracts";
import type { Logger } from "@reelmill/engine";
import type { ServerMetrics } from "./metrics.ts";

/** Creates a listener that serves `/ready` and `/metrics`, and answers 404 `not_found` to everything else. */
export function createOperationsListener({
	ready,
	metrics,
	logger,
}: {
	ready: () => Promise<Readiness>;
	metrics: Pick<ServerMetrics, "contentType" | "text">;
	logger: Logger;
}): RequestListener {
	const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
		async "/ready"(response) {
			const readiness = await ready();
			send(
				response,
				readiness.status === "ok" ? 200 : 503,
				"application/json; charset=utf-8",
				JSON.stringify(readiness),
			);
		},
		async "/metrics"(response) {
			send(response, 200, metrics.contentType, await metrics.text());
		},
	};
	return ({ method, url = "/" }, response) => {
		const page = method === "GET" || method === "HEAD" ? pages[url.split("?", 1)[0] ?? ""] : undefined;
		if (page === undefined)
			return send(
				response,
				404,
				"application/json; charset=utf-8",
				'{"error":"not_found","message":"There is no such page."}',
			);
		page(response).catch((error: unknown) => {
			logger.error({ error, url }, "the operations port could not answer");
			send(
				response,
				500,
				"application/json; charset=utf-8",
				'{"error":"internal_error","message":"Unexpected server error."}',
			);
		});
	};
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
	response.writeHead(status, {
		"content-type": contentType,
		"content-length": Buffer.byteLength(body),
		"cache-control": "no-store",
		"x-content-type-options": "nosniff",
	});
	response.end(body);
}
