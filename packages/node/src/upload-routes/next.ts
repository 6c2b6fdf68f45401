import { answerPage } from "./answer-page.ts";
import type { Person, UploadRoutesOptions } from "./options.ts";

export type { Person, UploadDescription, UploadRoutesOptions } from "./options.ts";

type RouteHandler = (request: Request) => Promise<Response>;

/**
 * Creates `uploadRoutes` of `@reelmill/node` for the app router of Next.js: the exports of `app/video/route.ts`. It
 * runs in both of its runtimes. `cookies()` and `headers()` of Next.js work in `authorize`.
 * @example
 * ```ts
 * import { createReelmill } from "@reelmill/node";
 * import { uploadRoutes } from "@reelmill/node/next";
 *
 * const reelmill = createReelmill({ baseUrl: "https://video.example.com", apiKey: "ek_your_domain_key" });
 * export const { POST, OPTIONS } = uploadRoutes({ reelmill, authorize: async () => null }); // nobody yet
 *
 * const headers = { "content-type": "application/json" };
 * const answer = await POST(new Request("https://shop.example.com/video", { method: "POST", headers, body: "{}" }));
 * console.log(answer.status); // => 401
 * ```
 */
export function uploadRoutes<Who extends Person, Source extends Request = Request>(
	options: UploadRoutesOptions<Source, Who>,
): { POST: RouteHandler; OPTIONS: RouteHandler } {
	const answer: RouteHandler = (request) => answerPage(request, request as Source, options);
	return { POST: answer, OPTIONS: answer };
}
