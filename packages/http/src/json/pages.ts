import type { OperationName } from "@reelmill/contracts";
import { createOpenApiDocument, createReferencePage, referencePagePolicy } from "@reelmill/contracts/openapi";
import type { Hono } from "hono";
import type { RequestEnv } from "../request-context.ts";
import { createPage } from "./page.ts";
import { send } from "./send.ts";

const openToAll = { "content-type": "application/json; charset=utf-8", "access-control-allow-origin": "*" };

/**
 * Serves two OpenAPI documents (the tenants' part and all planes, without `unserved` operations), and the reference,
 * which is made from the first. Each is made once, when it is first asked for.
 */
export function mountPages(
	app: Hono<RequestEnv>,
	{ baseUrl, unserved }: { baseUrl: string; unserved: readonly OperationName[] },
): void {
	const documentOf = (part: "tenants" | "all") => createOpenApiDocument({ serverUrl: baseUrl, unserved, part });
	const pages = {
		"/v1/openapi.json": createPage(openToAll, () => JSON.stringify(documentOf("tenants"))),
		"/v1/openapi.all.json": createPage(openToAll, () => JSON.stringify(documentOf("all"))),
		"/docs": createPage(
			{ "content-type": "text/html; charset=utf-8", "content-security-policy": referencePagePolicy },
			() =>
				createReferencePage({
					document: documentOf("tenants"),
					documentUrl: `${baseUrl}/v1/openapi.json`,
					wholeDocumentUrl: `${baseUrl}/v1/openapi.all.json`,
				}),
		),
	};
	for (const [path, page] of Object.entries(pages)) {
		app.get(path, async (context) =>
			send(context, await page(context.req.header("accept-encoding"), context.req.header("if-none-match"))),
		);
	}
}
