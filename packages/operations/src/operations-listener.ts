import type { RequestListener, ServerResponse } from "node:http";

/** Whether a program can do its work, and why not. */
export type Ready = {
	readonly status: "ok" | "unavailable";
	/** What is there, by name. */
	readonly checks: { readonly [check: string]: boolean };
	/** What is wrong, for people (default: nothing, or what the checks say). */
	readonly reason?: string;
};

/** What the operations port shows of a program. */
export type OperationsListenerOptions = {
	/** Resolves to what `/ready` answers: 200 if its status is `ok`, else 503. */
	readonly ready: () => Promise<Ready>;
	/** What `/metrics` answers. */
	readonly metrics: { readonly contentType: string; text(): Promise<string> };
	/** Is told of a page that could not be answered. */
	readonly logger: { error(fields: object, message: string): void };
};

/**
 * Creates a listener that serves `/health`, `/ready` and `/metrics` to whoever runs a program, and answers 404
 * `not_found` to everything else. `/health` answers 200 for as long as the process answers at all.
 *
 * @example
 * ```ts
 * import { once } from "node:events";
 * import { createServer } from "node:http";
 * import { createOperationsListener } from "@reelmill/operations";
 *
 * const listener = createOperationsListener({
 * 	ready: async () => ({ status: "unavailable", checks: { database: false } }),
 * 	metrics: { contentType: "text/plain", text: async () => "" },
 * 	logger: console,
 * });
 * const server = createServer(listener).listen(8799, "127.0.0.1");
 * await once(server, "listening");
 * const answer = await fetch("http://127.0.0.1:8799/ready");
 * console.log(answer.status, await answer.text()); // => 503 {"status":"unavailable","checks":{"database":false}}
 * server.close();
 * ```
 */
export function createOperationsListener({ ready, metrics, logger }: OperationsListenerOptions): RequestListener {
	const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
		async "/health"(response) {
			sendJson(response, 200, { status: "ok" });
		},
		async "/ready"(response) {
			const readiness = await ready();
			sendJson(response, readiness.status === "ok" ? 200 : 503, readiness);
		},
		async "/metrics"(response) {
			send(response, 200, metrics.contentType, await metrics.text());
		},
	};
	return ({ method, url = "/" }, response) => {
		const page = method === "GET" || method === "HEAD" ? pages[url.split("?", 1)[0] ?? ""] : undefined;
		if (page === undefined) return sendJson(response, 404, { error: "not_found", message: "There is no such page." });
		page(response).catch((error: unknown) => {
			logger.error({ error, url }, "the operations port could not answer");
			sendJson(response, 500, { error: "internal_error", message: "Unexpected server error." });
		});
	};
}

const sendJson = (response: ServerResponse, status: number, body: object): void =>
	send(response, status, "application/json; charset=utf-8", JSON.stringify(body));

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
	response.writeHead(status, {
		"content-type": contentType,
		"content-length": Buffer.byteLength(body),
		"cache-control": "no-store",
		"x-content-type-options": "nosniff",
	});
	response.end(body);
}
