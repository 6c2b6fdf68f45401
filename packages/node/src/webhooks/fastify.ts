import type { IncomingHttpHeaders } from "node:http";
import { receiveWebhook, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

/** The path, the secret, and what is done with an event. */
export type FastifyWebhookOptions = WebhookHandlerOptions & {
	/** The path of the webhook. Fastify puts the plugin's `prefix` before it. */
	path: string;
};

type Done = (error: Error | null, body?: unknown) => void;
/** The part of Fastify's reply that the plugin needs. */
export type FastifyReply = {
	code(status: number): FastifyReply;
	headers(values: Record<string, string>): FastifyReply;
	send(payload?: unknown): unknown;
};
/** The part of a Fastify instance that the plugin needs. */
export type FastifyInstance = {
	removeAllContentTypeParsers(): void;
	addContentTypeParser(
		contentType: string,
		options: { parseAs: "buffer" },
		parser: (request: never, body: Buffer, done: Done) => void,
	): unknown;
	post(
		path: string,
		handler: (request: { headers: IncomingHttpHeaders; body: unknown }, reply: FastifyReply) => Promise<unknown>,
	): unknown;
};

/**
 * Adds a webhook route to Fastify, as a plugin. Only this route gets raw bodies; the rest of the application keeps its
 * parsers. It answers 204 after `onEvent`, 400 if the request can't be verified, and 413 if the body is larger than
 * Fastify's `bodyLimit`. Errors of `onEvent` go to Fastify's error handler.
 * @example
 * ```ts
 * import { webhookPlugin } from "@reelmill/node/fastify";
 * import fastify from "fastify";
 *
 * const app = fastify();
 * app.register(webhookPlugin, {
 * 	path: "/hooks/reelmill",
 * 	secret: "whsec_bm9ib2R5cyBzZWNyZXQ",
 * 	onEvent: ({ type }) => console.log(type),
 * });
 *
 * const unsigned = await app.inject({ method: "POST", url: "/hooks/reelmill", payload: "{}" });
 * console.log(unsigned.statusCode); // => 400
 * ```
 */
export async function webhookPlugin(
	instance: FastifyInstance,
	{ path, ...options }: FastifyWebhookOptions,
): Promise<void> {
	instance.removeAllContentTypeParsers();
	instance.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
	instance.post(path, async (request, reply) => {
		const body = (request.body as Buffer | undefined) ?? "";
		const { status, text, headers } = await receiveWebhook(body, request.headers, options);
		reply.code(status).headers(headers);
		return text === "" ? reply.send() : reply.send(text);
	});
}
