import type { IncomingMessage, ServerResponse } from "node:http";
import { receiveWebhook, type WebhookBody, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

/**
 * A handler for Express 4 and 5, and Connect: `app.post("/hooks/reelmill", webhookHandler({ secret, onEvent }))`. Mount
 * it before `express.json()`, or keep that away from its path: it reads the body itself, or takes the bytes that
 * `express.raw()` left. Answers 204 after `onEvent`, 400 to what is not proved, 413 to bodies over 1 MiB; what
 * `onEvent` throws goes to `next`, and so does a `parsed_payload` error where a JSON parser was there first.
 */
export function webhookHandler(
	options: WebhookHandlerOptions,
): (request: IncomingMessage & { body?: unknown }, response: ServerResponse, next: (error?: unknown) => void) => void {
	return (request, response, next) => {
		receiveWebhook((request.body ?? request) as WebhookBody, request.headers, options).then(({ status, text }) => {
			// A body that was not read to its end would stand before the connection's next request.
			if (!request.readableEnded) response.setHeader("connection", "close");
			response.writeHead(status, text === "" ? {} : { "content-type": "text/plain; charset=utf-8" }).end(text);
		}, next);
	};
}
