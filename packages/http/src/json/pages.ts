import type { Audience, OperationName } from "@reelmill/contracts";
import { createOpenApiDocument, createReferencePage, referencePagePolicy } from "@reelmill/contracts/openapi";
import type { Hono } from "hono";
import type { RequestEnv } from "../request-context.ts";
import { createPage } from "./page.ts";
import { send } from "./send.ts";

const openToAll = { "content-type": "application/json; charset=utf-8", "access-control-allow-origin": "*" };

/** The address of each part's document. */
const documents = {
	tenants: "/v1/openapi.json",
	operators: "/v1/openapi.operators.json",
	workers: "/v1/openapi.workers.json",
	console: "/v1/openapi.console.json",
	all: "/v1/openapi.all.json",
} as const satisfies Record<Audience | "all", string>;

/**
 * Serves the OpenAPI documents, one for each audience and one of all planes, without `unserved` operations, and the
 * reference, which is made from that of tenants. Each is made once, when it is first asked for.
 */
export function mountPages(
	app: Hono<RequestEnv>,
	{ baseUrl, unserved }: { baseUrl: string; unserved: readonly OperationName[] },
): void {
	const documentOf = (part: Audience | "all") => createOpenApiDocument({ serverUrl: baseUrl, unserved, part });
	const pages = {
		...Object.fromEntries(
			(Object.entries(documents) as [Audience | "all", string][]).map(([part, path]) => [
				path,
				createPage(openToAll, () => JSON.stringify(documentOf(part))),
			]),
		),
		"/docs": createPage(
			{ "content-type": "text/html; charset=utf-8", "content-security-policy": referencePagePolicy },
			() =>
				createReferencePage({
					document: documentOf("tenants"),
					documentUrl: `${baseUrl}${documents.tenants}`,
					otherDocuments: {
						operators: `${baseUrl}${documents.operators}`,
						workers: `${baseUrl}${documents.workers}`,
						"the console": `${baseUrl}${documents.console}`,
						"all of them": `${baseUrl}${documents.all}`,
					},
				}),
		),
	};
	for (const [path, page] of Object.entries(pages)) {
		app.get(path, async (context) =>
			send(context, await page(context.req.header("accept-encoding"), context.req.header("if-none-match"))),
		);
	}
}
