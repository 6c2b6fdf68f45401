import { answerPage } from "./answer-page.ts";
import { fetchRequest, type NodeRequest } from "./node-request.ts";
import type { Person, UploadRoutesOptions } from "./options.ts";

export type { Person, UploadDescription, UploadRoutesOptions } from "./options.ts";

/** The part of Fastify's request that the handler needs. */
type FastifyRequest = NodeRequest & { readonly method: string };
/** The part of Fastify's reply that the handler needs. */
type FastifyReply = {
	code(status: number): FastifyReply;
	header(name: string, value: string): FastifyReply;
	send(payload?: unknown): unknown;
};

/**
 * Creates `uploadRoutes` of `@reelmill/node` for Fastify 4 and 5: a handler for a route with the methods POST and
 * OPTIONS. `authorize` gets Fastify's request. Errors of your functions go to Fastify's error handler.
 * @example
 * ```ts
 * import { createReelmill } from "@reelmill/node";
 * import { uploadRoutes } from "@reelmill/node/fastify";
 * import fastify, { type FastifyRequest } from "fastify";
 *
 * const reelmill = createReelmill({ baseUrl: "https://video.example.com", apiKey: "ek_your_domain_key" });
 * const app = fastify();
 * const authorize = ({ headers }: FastifyRequest) =>
 * 	headers["x-session"] === "session-of-ada" ? { ref: "ada" } : null;
 * app.route({ method: ["POST", "OPTIONS"], url: "/video", handler: uploadRoutes({ reelmill, authorize }) });
 *
 * const answer = await app.inject({ method: "POST", url: "/video", payload: {} });
 * console.log(answer.statusCode); // => 401
 * ```
 */
export function uploadRoutes<Source extends FastifyRequest, Who extends Person>(
	options: UploadRoutesOptions<Source, Who>,
): (request: Source, reply: FastifyReply) => Promise<unknown> {
	return async (request, reply) => {
		const answer = await answerPage(fetchRequest(request), request, options);
		reply.code(answer.status);
		for (const [name, value] of answer.headers) reply.header(name, value);
		return reply.send(answer.body === null ? undefined : await answer.text());
	};
}
