import { createOpenApiDocument, createReferencePage, referencePagePolicy } from "@reelmill/contracts/openapi";
import type { Hono } from "hono";
import type { RequestEnv } from "../request-id.ts";
import { send } from "./reply.ts";

/** Serves the OpenAPI document and the reference made from it. Both are made once, when first asked for. */
export function mountPages(app: Hono<RequestEnv>, { baseUrl, version }: { baseUrl: string; version: string }): void {
	const once = <T>(make: () => T): (() => T) => {
		let made: { readonly value: T } | undefined;
		return () => {
			made ??= { value: make() };
			return made.value;
		};
	};
	const document = once(() => createOpenApiDocument({ serverUrl: baseUrl, version }));
	const json = once(() => JSON.stringify(document()));
	const page = once(() => createReferencePage({ document: document(), documentUrl: `${baseUrl}/v1/openapi.json` }));
	app.get("/v1/openapi.json", (context) =>
		send(context, { status: 200, headers: { "content-type": "application/json; charset=utf-8", "access-control-allow-origin": "*" }, body: json() }),
	);
	app.get("/docs", (context) =>
		send(context, {
			status: 200,
			headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": referencePagePolicy, "x-content-type-options": "nosniff" },
			body: page(),
		}),
	);
}
