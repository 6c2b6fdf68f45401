import type { Context } from "hono";
import type { RequestEnv } from "../request-id.ts";

/** An answer before it is sent. Bytes or text; null for no body. */
export type Reply = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Uint8Array<ArrayBuffer> | null;
};
/** Sends an answer on the raw server, and gives what stands for it as a Response. */
export type SendReply = (reply: Reply) => Response;

/**
 * Straight to the raw server where there is one: a Response of Fetch costs several times the rest of a small answer.
 */
export function send(context: Context<RequestEnv>, reply: Reply): Response {
	return (
		context.env.reply?.(reply) ??
		new Response(reply.body, {
			status: reply.status,
			headers: { ...reply.headers, "x-request-id": context.env.requestId },
		})
	);
}

/** A JSON answer. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
	const body = JSON.stringify(value);
	return {
		status,
		headers: {
			"content-type": "application/json; charset=utf-8",
			"content-length": String(Buffer.byteLength(body)),
			...headers,
		},
		body,
	};
}
