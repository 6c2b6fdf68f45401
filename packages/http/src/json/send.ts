import type { Context } from "hono";
import type { Reply } from "../reply.ts";
import type { RequestEnv } from "../request-context.ts";

/**
 * Sends an answer on the raw server if there is one: creating a Fetch Response costs several times as much as the rest
 * of a small answer. Otherwise returns the answer as a Response.
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
