import { fetchResponse, receiveWebhook, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

/** As much of Hono's context as is needed. */
export type HonoContext = { req: { raw: Request } };

/**
 * A handler for Hono: `app.post("/hooks/reelmill", webhookHandler({ secret, onEvent }))`. Answers 204 after `onEvent`,
 * 400 to what is not proved, 413 to bodies over 1 MiB; what `onEvent` throws goes to `app.onError`. A middleware before
 * it must not have read `c.req.raw` itself.
 */
export function webhookHandler(options: WebhookHandlerOptions): (context: HonoContext) => Promise<Response> {
	return async ({ req }) => fetchResponse(await receiveWebhook(req.raw.body ?? "", req.raw.headers, options));
}
