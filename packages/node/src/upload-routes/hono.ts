import { answerPage } from "./answer-page.ts";
import type { Person, UploadRoutesOptions } from "./options.ts";

export type { Person, UploadDescription, UploadRoutesOptions } from "./options.ts";

/**
 * Creates `uploadRoutes` of `@reelmill/node` for Hono. `authorize` gets Hono's context. Mount it with `app.all`. Errors
 * of your functions go to `app.onError`. No middleware before it may read `c.req.raw`.
 * @example
 * ```ts
 * import { createReelmill } from "@reelmill/node";
 * import { uploadRoutes } from "@reelmill/node/hono";
 * import { type Context, Hono } from "hono";
 *
 * const reelmill = createReelmill({ baseUrl: "https://video.example.com", apiKey: "ek_your_domain_key" });
 * const app = new Hono();
 * app.all("/video", uploadRoutes({ reelmill, authorize: (c: Context) => c.get("user") ?? null }));
 *
 * const headers = { "content-type": "application/json" };
 * const answer = await app.request("/video", { method: "POST", headers, body: "{}" });
 * console.log(answer.status); // => 401
 * ```
 */
export function uploadRoutes<Context extends { req: { raw: Request } }, Who extends Person>(
	options: UploadRoutesOptions<Context, Who>,
): (context: Context) => Promise<Response> {
	return (context) => answerPage(context.req.raw, context, options);
}
