import type { Hono } from "hono";
import type { RequestEnv } from "../request-context.ts";
import { fetchRequest } from "./fetch-request.ts";
import type { serveOperations } from "./operations.ts";
import { send } from "./send.ts";

/** Returns a path of the contract as hono's routers write it. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/** Mounts operations on hono. */
export function mountOperations(
	app: Hono<RequestEnv>,
	operations: ReturnType<typeof serveOperations>,
	idleMilliseconds: number,
): void {
	for (const { operation, serve } of operations) {
		app.on(operation.method, routePath(operation.path), async (context) =>
			send(context, await serve(fetchRequest(context, idleMilliseconds))),
		);
	}
}
