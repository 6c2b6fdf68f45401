import { fetchResponse, receiveWebhook, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

/**
 * A route handler of Next.js' app router, and of everything else that maps a Request to a Response:
 * `export const POST = webhookHandler({ secret, onEvent })` in `app/hooks/reelmill/route.ts`.
 * Answers 204 after `onEvent`, 400 to what is not proved, 413 to bodies over 1 MiB; rejects with what `onEvent` throws.
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
	return async (request) => fetchResponse(await receiveWebhook(request.body ?? "", request.headers, options));
}
