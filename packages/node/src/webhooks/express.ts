import type { IncomingMessage, ServerResponse } from "node:http";
import { receiveWebhook, type WebhookBody, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

/**
 * Creates a handler for Express 4 and 5, and Connect. Mount it before `express.json()`: it reads the body itself, or
 * takes the bytes of `express.raw()`, or those that Nest and Firebase keep as `request.rawBody`. It answers 204 after `onEvent`, 400 if the request can't be verified, and 413 if
 * the body is larger than 1 MiB. Errors of `onEvent` go to `next`, and so does a `parsed_payload` error if a JSON
 * parser came first.
 * @example
 * ```ts
 * import { once } from "node:events";
 * import type { AddressInfo } from "node:net";
 * import { webhookHandler } from "@reelmill/node/express";
 * import express from "express";
 *
 * const app = express();
 * const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
 * app.post("/hooks/reelmill", webhookHandler({ secret, onEvent: ({ type }) => console.log(type) }));
 *
 * const server = app.listen(0);
 * await once(server, "listening");
 * const { port } = server.address() as AddressInfo;
 * const unsigned = await fetch(`http://localhost:${port}/hooks/reelmill`, { method: "POST", body: "{}" });
 * console.log(unsigned.status); // => 400
 * server.close();
 * ```
 */
export function webhookHandler(
	options: WebhookHandlerOptions,
): (
	request: IncomingMessage & { body?: unknown; rawBody?: Uint8Array | undefined },
	response: ServerResponse,
	next: (error?: unknown) => void,
) => void {
	return (request, response, next) => {
		receiveWebhook((request.rawBody ?? request.body ?? request) as WebhookBody, request.headers, options).then(
			({ status, text, headers }) => {
				// The rest of an unread body would be taken for the connection's next request.
				if (!request.readableEnded) response.setHeader("connection", "close");
				response.writeHead(status, headers).end(text);
			},
			next,
		);
	};
}
