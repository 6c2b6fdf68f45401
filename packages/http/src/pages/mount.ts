import type { Audience, OperationName } from "@reelmill/contracts";
import { createOpenApiDocument } from "@reelmill/contracts/openapi";
import type { Hono } from "hono";
import { send } from "../json/send.ts";
import type { RequestEnv } from "../request-context.ts";
import { documents } from "./documents.ts";
import { createPage } from "./page.ts";
import { readReference } from "./reference.ts";

const openToAll = { "content-type": "application/json; charset=utf-8", "access-control-allow-origin": "*" };

/**
 * Serves the OpenAPI documents, one for each audience and one of all planes, without `unserved` operations, and the API
 * reference, which shows them. Each document is made once, when it is first asked for.
 *
 * @throws {Error} when the folder of the reference has no index.html.
 */
export function mountPages(
	app: Hono<RequestEnv>,
	{
		baseUrl,
		unserved,
		reference,
	}: { baseUrl: string; unserved: readonly OperationName[]; reference: string | undefined },
): void {
	const documentOf = (part: Audience | "all") => createOpenApiDocument({ serverUrl: baseUrl, unserved, part });
	const pages = new Map([
		...(Object.entries(documents) as [Audience | "all", string][]).map(
			([part, path]) => [path, createPage(openToAll, () => JSON.stringify(documentOf(part)))] as const,
		),
		...readReference(reference),
	]);
	for (const [path, page] of pages) {
		app.get(path, async (context) =>
			send(context, await page(context.req.header("accept-encoding"), context.req.header("if-none-match"))),
		);
	}
}
