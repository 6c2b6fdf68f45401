import type { IncomingHttpHeaders } from "node:http";
import { receiveWebhook, type WebhookHandlerOptions } from "./receive.ts";

export type { WebhookHandlerOptions } from "./receive.ts";

export type FastifyWebhookOptions = WebhookHandlerOptions & {
	/** Where the webhook is received; Fastify puts the plugin's `prefix` before it. */
	path: string;
};

type Done = (error: Error | null, body?: unknown) => void;
/** As much of Fastify's reply as is needed. */
export type FastifyReply = {
	code(status: number): FastifyReply;
	type(contentType: string): FastifyReply;
	send(payload?: unknown): unknown;
};
/** As much of a Fastify instance as is needed. */
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
 * A plugin for Fastify: `app.register(webhookPlugin, { path: "/hooks/reelmill", secret, onEvent })`. It takes bodies
 * raw for its own route alone; the rest of the application keeps its parsers. Answers 204 after `onEvent`, 400 to what
 * is not proved, 413 to bodies over Fastify's `bodyLimit`; what `onEvent` throws goes to its error handler.
 */
export async function webhookPlugin(
	instance: FastifyInstance,
	{ path, ...options }: FastifyWebhookOptions,
): Promise<void> {
	instance.removeAllContentTypeParsers();
	instance.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
	instance.post(path, async (request, reply) => {
		const { status, text } = await receiveWebhook((request.body as Buffer | undefined) ?? "", request.headers, options);
		reply.code(status);
		return text === "" ? reply.send() : reply.type("text/plain; charset=utf-8").send(text);
	});
}
