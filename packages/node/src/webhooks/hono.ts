import { fetchResponse, receiveWebhook, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

/** The part of Hono's context that the handler needs. */
export type HonoContext = { req: { raw: Request } };

/**
 * Creates a handler for Hono. It answers 204 after `onEvent`, 400 if the request can't be verified, and 413 if the body
 * is larger than 1 MiB. Errors of `onEvent` go to `app.onError`. No middleware before it may read `c.req.raw`.
 * @example
 * ```ts
 * import { webhookHandler } from "@reelmill/node/hono";
 * import { Hono } from "hono";
 *
 * const app = new Hono();
 * const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
 * app.post("/hooks/reelmill", webhookHandler({ secret, onEvent: ({ type }) => console.log(type) }));
 *
 * const unsigned = await app.request("/hooks/reelmill", { method: "POST", body: "{}" });
 * console.log(unsigned.status); // => 400
 * ```
 */
export function webhookHandler(options: WebhookHandlerOptions): (context: HonoContext) => Promise<Response> {
	return async ({ req }) => fetchResponse(await receiveWebhook(req.raw.body ?? "", req.raw.headers, options));
}
