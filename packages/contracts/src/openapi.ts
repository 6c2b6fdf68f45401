import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from "@asteasolutions/zod-to-openapi";
import { api } from "./api.ts";
import { events, webhookHeaders } from "./events.ts";
import type { OpenApiDocument } from "./openapi/document.ts";
import { requestExamples, responseExamples } from "./openapi/examples.ts";
import { errorResponses, sharedHeaders, successResponses } from "./openapi/responses.ts";
import { componentSchemas, reference, responseSchemas } from "./openapi/schemas.ts";
import { requirements, securitySchemes } from "./openapi/security.ts";
import type { Operation } from "./operation.ts";
import { tags } from "./tags.ts";

export { createReferencePage, referencePagePolicy } from "./reference/page.ts";
export type { OpenApiDocument };

const about =
	"Reelmill hosts and processes video for many tenants, called domains: resumable uploads straight from the end user's device, HLS and DASH with H.264 and AV1, private playback with short-lived keys, signed webhooks. Errors are `{ error, message }`; branch on `error`. Every answer carries `x-request-id`.";

/**
 * The OpenAPI 3.1 document of the whole product, made from the operations.
 * @param options.serverUrl the API's base URL, without a trailing slash
 * @param options.version the version of the server, as `GET /v1/health` reports it
 * @returns a new plain object, ready for JSON; the same for the same options
 */
export function createOpenApiDocument({ serverUrl, version }: { serverUrl: string; version: string }): OpenApiDocument {
	const registry = new OpenAPIRegistry();
	const examples: Record<string, unknown> = { ...requestExamples, ...responseExamples };
	for (const [name, schema] of Object.entries(componentSchemas())) {
		registry.registerComponent("schemas", name, name in examples ? { ...schema, examples: [examples[name]] } : schema);
	}
	for (const [name, header] of Object.entries(sharedHeaders)) registry.registerComponent("headers", name, header);
	for (const [name, scheme] of Object.entries(securitySchemes)) registry.registerComponent("securitySchemes", name, scheme);
	for (const [name, operation] of Object.entries(api) as [string, Operation][]) {
		registry.registerPath(route(name, operation));
		if (operation.alsoHead)
			registry.registerPath(route(name.replace(/^get/, "head"), { ...operation, method: "HEAD", summary: `${operation.summary}: headers only` }));
	}
	for (const [type, description] of Object.entries(events)) registry.registerWebhook(webhook(type, description));
	return new OpenApiGeneratorV31(registry.definitions).generateDocument({
		openapi: "3.1.0",
		info: {
			title: "Reelmill",
			version,
			description: about,
			license: { name: "Apache-2.0", identifier: "Apache-2.0" },
			contact: { name: "Reelmill", url: "https://github.com/reelmill/reelmill" },
		},
		servers: [{ url: serverUrl }],
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
	} as Parameters<OpenApiGeneratorV31["generateDocument"]>[0]);
}

function route(operationId: string, operation: Operation): RouteConfig {
	const { params, query, headers } = operation;
	return {
		method: operation.method.toLowerCase() as RouteConfig["method"],
		path: operation.path,
		operationId,
		tags: [operation.tag],
		summary: operation.summary,
		description: operation.description ?? `${operation.summary}.`,
		security: requirements(operation),
		...(operation.port && {
			servers: [{ url: "http://{address}", description: "The operations port.", variables: { address: { default: "127.0.0.1:9464" } } }],
		}),
		request: { ...(params && { params }), ...(query && { query }), ...(headers && { headers }), ...requestBody(operation) },
		responses: { ...successResponses(operation), ...errorResponses(operation) },
	};
}

function requestBody({ body, content }: Operation) {
	if (body !== undefined) return { body: { required: true, content: { "application/json": { schema: reference(body) } } } };
	if (content !== undefined) return { body: { required: true, content: { [content]: {} } } };
	return {};
}

function webhook(type: string, description: string): RouteConfig {
	const header = (name: string, meaning: string) => ({
		name,
		in: "header" as const,
		required: true,
		description: meaning,
		schema: { type: "string" as const },
	});
	return {
		method: "post",
		path: type,
		operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_match, letter: string) => letter.toUpperCase())}`,
		tags: [webhookTag],
		summary: type,
		description: `${description} Verify the signature over the raw body: HMAC-SHA256 of the timestamp, a dot and the body's bytes, keyed with the webhook secret as it is written.`,
		security: [],
		parameters: [
			header(
				webhookHeaders.signature,
				"`t=<unix seconds>,v1=<hex HMAC-SHA256>`; two `v1=` values for an hour after a rotation of the secret. Refuse a `t` more than 300 s away.",
			),
			header(webhookHeaders.deliveryId, "The delivery's id, the same on every attempt and replay."),
		],
		request: { body: { required: true, content: { "application/json": { schema: reference(responseSchemas.WebhookEvent) } } } },
		responses: {
			"2XX": { description: "The delivery is taken. Any other answer, a redirect, or none within 10 s is a failed attempt." },
			"4XX": { description: "The attempt failed; it is repeated, six in all." },
		},
	};
}
