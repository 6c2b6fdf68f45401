import { answerPage } from "./answer-page.ts";
import type { Person, UploadRoutesOptions } from "./options.ts";

/**
 * Creates the one route of your back end from which a page gets all that its uploader and its player need: upload
 * tickets, videos and playback keys. `fromBackEnd(url)` of `@reelmill/browser` asks it. It takes a Fetch `Request`;
 * `@reelmill/node/hono`, `/express`, `/fastify` and `/next` have the same for these frameworks.
 *
 * Nothing is open by default: `authorize` says who sends each request, and a person may watch only what that person
 * uploaded, and public videos, unless `mayPlay` says otherwise. Pages of other origins are refused.
 *
 * Errors of the service are answered with their code, their fields and `Retry-After`, unchanged. It rejects with other
 * errors of your functions, and if the service refuses your key.
 * @example
 * ```ts
 * import { createReelmill, uploadRoutes } from "@reelmill/node";
 *
 * const reelmill = createReelmill({ baseUrl: "https://video.example.com", apiKey: "ek_your_domain_key" });
 * const sessions = new Map([["session-of-ada", { ref: "ada" }]]); // yours
 * const answer = uploadRoutes({
 * 	reelmill,
 * 	authorize: (request) => sessions.get(request.headers.get("x-session") ?? "") ?? null,
 * 	describe: () => ({ visibility: "private" }),
 * });
 *
 * const ask = (session: string) =>
 * 	new Request("https://shop.example.com/video", {
 * 		method: "POST",
 * 		headers: { "content-type": "application/json", "x-session": session },
 * 		body: JSON.stringify({ action: "upload", content_type: "video/mp4", file_size: 20 }),
 * 	});
 * const [allowed, refused] = [await answer(ask("session-of-ada")), await answer(ask("nobody"))];
 * console.log(allowed.status, refused.status); // => 201 401
 * ```
 */
export function uploadRoutes<Who extends Person>(
	options: UploadRoutesOptions<Request, Who>,
): (request: Request) => Promise<Response> {
	return (request) => answerPage(request, request, options);
}
