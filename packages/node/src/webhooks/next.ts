import { fetchResponse, receiveWebhook, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

/**
 * Creates a route handler for the app router of Next.js, or for anything else that maps a Request to a Response. In
 * Next.js, export it as `POST` from `app/hooks/reelmill/route.ts`. It answers 204 after `onEvent`, 400 if the request
 * can't be verified, and 413 if the body is larger than 1 MiB. It rejects with the errors of `onEvent`.
 * @example
 * ```ts
 * import { webhookHandler } from "@reelmill/node/next";
 *
 * const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
 * export const POST = webhookHandler({ secret, onEvent: ({ type }) => console.log(type) });
 *
 * const request = new Request("https://example.com/hooks/reelmill", { method: "POST", body: "{}" });
 * const unsigned = await POST(request);
 * console.log(unsigned.status); // => 400
 * ```
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
	return async (request) => fetchResponse(await receiveWebhook(request.body ?? "", request.headers, options));
}
