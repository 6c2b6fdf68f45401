import type { IncomingMessage, ServerResponse } from "node:http";
import { answerPage } from "./answer-page.ts";
import { fetchRequest } from "./node-request.ts";
import type { Person, UploadRoutesOptions } from "./options.ts";

export type { Person, UploadDescription, UploadRoutesOptions } from "./options.ts";

/**
 * Creates `uploadRoutes` of `@reelmill/node` for Express 4 and 5, and Connect. `authorize` gets Express's request, with
 * its session. Mount it with `app.all`, before or after `express.json()`. Errors of your functions go to `next`.
 * @example
 * ```ts
 * import { once } from "node:events";
 * import type { AddressInfo } from "node:net";
 * import { createReelmill } from "@reelmill/node";
 * import { uploadRoutes } from "@reelmill/node/express";
 * import express, { type Request } from "express";
 *
 * const reelmill = createReelmill({ baseUrl: "https://video.example.com", apiKey: "ek_your_domain_key" });
 * const app = express();
 * const authorize = (request: Request) => (request.get("x-session") === "session-of-ada" ? { ref: "ada" } : null);
 * app.all("/video", uploadRoutes({ reelmill, authorize }));
 *
 * const server = app.listen(0);
 * await once(server, "listening");
 * const { port } = server.address() as AddressInfo;
 * const headers = { "content-type": "application/json" };
 * const answer = await fetch(`http://localhost:${port}/video`, { method: "POST", headers, body: "{}" });
 * console.log(answer.status); // => 401
 * server.close();
 * ```
 */
export function uploadRoutes<Source extends IncomingMessage, Who extends Person>(
	options: UploadRoutesOptions<Source, Who>,
): (request: Source, response: ServerResponse, next: (error?: unknown) => void) => void {
	return (request, response, next) => {
		const { method, headers } = request;
		// A parser has read the stream to its end, and left what it found.
		const body = (request as { body?: unknown }).body ?? (request.readableEnded ? undefined : request);
		answerPage(fetchRequest({ method, headers, body }), request, options)
			.then(async (answer) => {
				const text = await answer.text();
				// The rest of an unread body would be taken for the connection's next request.
				if (!request.readableEnded && method !== "OPTIONS") response.setHeader("connection", "close");
				for (const [name, value] of answer.headers) response.setHeader(name, value);
				response.writeHead(answer.status).end(text);
			})
			.catch(next);
	};
}
