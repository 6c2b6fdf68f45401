import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from "@asteasolutions/zod-to-openapi";
import { api, type OperationName } from "./api.ts";
import { events, webhookHeaders } from "./events.ts";
import { withoutUnused } from "./openapi/components.ts";
import type { OpenApiDocument } from "./openapi/document.ts";
import { examples } from "./openapi/examples.ts";
import { errorResponses, sharedHeaders, successResponses } from "./openapi/responses.ts";
import { componentSchemas, reference } from "./openapi/schemas.ts";
import { requirements, securitySchemesOf } from "./openapi/security.ts";
import type { Operation, Plane } from "./operation.ts";
import {
	type EventType,
	VideoCancelledEvent,
	VideoExpiredEvent,
	VideoFailedEvent,
	VideoReadyEvent,
} from "./resources/webhook-event.ts";
import { tags } from "./tags.ts";

export { createReferencePage, referencePagePolicy } from "./reference/page.ts";
export type { OpenApiDocument };

const about =
	"Reelmill hosts and processes video for many tenants, called domains: resumable uploads straight from the end user's device, HLS and DASH with H.264 and AV1, private playback with short-lived keys, signed webhooks. Errors are `{ error, message }`; branch on `error`. Every answer carries `x-request-id`.";

/** The version of the API, `info.version` of the document. It is not the server's version. */
export const apiVersion = "1.0.0";

/** What the OpenAPI document is to hold. */
export type OpenApiOptions = {
	/** The API's base URL, without a trailing slash. */
	readonly serverUrl: string;
	/** The operations that this server does not serve; the document leaves them out (default: none). */
	readonly unserved?: readonly OperationName[];
	/**
	 * The planes of the document (default: `all`). `tenants` has the tenant, upload and delivery planes, webhooks and the
	 * service's own pages.
	 */
	readonly part?: "tenants" | "all";
};

/**
 * Makes the OpenAPI 3.1 document from the operations. It has the schemas, tags and credentials that its operations
 * need, and no others. The same options give the same document.
 * @returns a new plain object, ready for JSON
 * @example
 * ```ts
 * import { createOpenApiDocument } from "@reelmill/contracts/openapi";
 *
 * const document = createOpenApiDocument({ serverUrl: "https://video.example.com", part: "tenants" });
 * console.log(document.paths?.["/v1/videos/{id}"]?.get?.operationId); // => getVideo
 * ```
 */
export function createOpenApiDocument({ serverUrl, unserved = [], part = "all" }: OpenApiOptions): OpenApiDocument {
	const registry = new OpenAPIRegistry();
	for (const [name, schema] of Object.entries(componentSchemas())) {
		const example = (examples as Record<string, unknown>)[name];
		registry.registerComponent("schemas", name, example === undefined ? schema : { ...schema, examples: [example] });
	}
	for (const [name, header] of Object.entries(sharedHeaders)) registry.registerComponent("headers", name, header);
	for (const [name, scheme] of Object.entries(securitySchemesOf(serverUrl)))
		registry.registerComponent("securitySchemes", name, scheme);
	const described = (Object.entries(api) as [OperationName, Operation][]).filter(
		([name, operation]) => !unserved.includes(name) && (part === "all" || isForTenants(operation)),
	);
	for (const [name, operation] of described) {
		registry.registerPath(route(name, operation));
		if (operation.alsoHead)
			registry.registerPath(
				route(name.replace(/^get/, "head"), {
					...operation,
					method: "HEAD",
					summary: `${operation.summary}: headers only`,
				}),
			);
	}
	for (const type of Object.keys(events) as EventType[]) registry.registerWebhook(webhook(type));
	const used = new Set<string>([...described.map(([, { tag }]) => tag), webhookTag]);
	const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
		openapi: "3.1.0",
		info: {
			title: "Reelmill",
			version: apiVersion,
			description: about,
			license: { name: "Apache-2.0", identifier: "Apache-2.0" },
			contact: { name: "Reelmill", url: "https://github.com/reelmill/reelmill" },
		},
		servers: [{ url: serverUrl }],
		tags: Object.entries(tags)
			.filter(([name]) => used.has(name))
			.map(([name, description]) => ({ name, description })),
	} as Parameters<OpenApiGeneratorV31["generateDocument"]>[0]);
	return withoutUnused(document);
}

const tenantsPlanes: readonly Plane[] = ["tenant", "upload", "delivery"];
const isForTenants = ({ plane, port }: Operation): boolean =>
	tenantsPlanes.includes(plane) || (plane === "operations" && port === undefined);
const webhookTag = "Webhooks";

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
			servers: [
				{
					url: "http://{address}",
					description: "The operations port.",
					variables: { address: { default: "127.0.0.1:9464" } },
				},
			],
		}),
		request: {
			...(params && { params }),
			...(query && { query }),
			...(headers && { headers }),
			...requestBody(operation),
		},
		responses: { ...successResponses(operation), ...errorResponses(operation) },
	};
}

function requestBody({ body, bodyOptional, alsoMediaTypes = [], content }: Operation) {
	if (body !== undefined) {
		const types = ["application/json", ...alsoMediaTypes].map((type) => [type, { schema: reference(body) }]);
		return { body: { required: !bodyOptional, content: Object.fromEntries(types) } };
	}
	if (content !== undefined) return { body: { required: true, content: { [content]: {} } } };
	return {};
}

const eventBodies = {
	"video.ready": VideoReadyEvent,
	"video.failed": VideoFailedEvent,
	"video.expired": VideoExpiredEvent,
	"video.cancelled": VideoCancelledEvent,
} as const satisfies Record<EventType, unknown>;

function webhook(type: EventType): RouteConfig {
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
		description: `${events[type]} Verify the signature over the raw body: HMAC-SHA256 of the timestamp, a dot and the body's bytes, keyed with the webhook secret as it is written.`,
		security: [],
		parameters: [
			header(
				webhookHeaders.signature,
				"`t=<unix seconds>,v1=<hex HMAC-SHA256>`; two `v1=` values for an hour after a rotation of the secret. Refuse a `t` more than 300 s away.",
			),
			header(webhookHeaders.deliveryId, "The delivery's id, the same on every attempt and replay."),
		],
		request: {
			body: { required: true, content: { "application/json": { schema: reference(eventBodies[type]) } } },
		},
		responses: {
			"2XX": {
				description: "The delivery is taken. Any other answer, a redirect, or none within 10 s is a failed attempt.",
			},
			"4XX": { description: "The attempt failed; it is repeated, six in all." },
		},
	};
}
