import { OpenAPIRegistry, OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import { api, type OperationName } from "./api.ts";
import { about } from "./openapi/about.ts";
import { isFor } from "./openapi/audiences.ts";
import { contentOf } from "./openapi/contents.ts";
import type { OpenApiDocument } from "./openapi/document.ts";
import { errorResponses } from "./openapi/error-responses.ts";
import { sharedHeaders } from "./openapi/headers.ts";
import { parametersOf } from "./openapi/parameters.ts";
import { successResponses } from "./openapi/responses.ts";
import { convertSchemas } from "./openapi/schemas.ts";
import { requirements, securitySchemesOf } from "./openapi/security.ts";
import { withSharedParts } from "./openapi/shared-parts.ts";
import { registerWebhooks, webhookTag } from "./openapi/webhooks.ts";
import type { Audience, Operation } from "./operation.ts";
import { tags } from "./tags.ts";

export type { Audience, OpenApiDocument };

/** The version of the API, `info.version` of the document. It is not the server's version. */
export const apiVersion = "1.0.0";

/** What the OpenAPI document is to hold. */
export type OpenApiOptions = {
	/** The API's base URL, without a trailing slash. */
	readonly serverUrl: string;
	/** The operations that this server does not serve; the document leaves them out (default: none). */
	readonly unserved?: readonly OperationName[];
	/**
	 * Whose document it is (default: `all`). `tenants` has the tenant, upload and delivery planes and the webhooks,
	 * `operators` the admin plane and the operations port, `workers` the internal plane, `console` all that a console
	 * session may call. Each has the credentials of its audience alone.
	 */
	readonly part?: Audience | "all";
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
 * console.log(document.paths["/v1/videos/{id}"]?.get?.operationId); // => getVideo
 * ```
 */
export function createOpenApiDocument({ serverUrl, unserved = [], part = "all" }: OpenApiOptions): OpenApiDocument {
	const registry = new OpenAPIRegistry();
	const schemas = convertSchemas();
	for (const [name, schema] of Object.entries(schemas.components)) registry.registerComponent("schemas", name, schema);
	for (const [name, header] of Object.entries(sharedHeaders)) registry.registerComponent("headers", name, header);
	const used = new Set<string>();
	const register = (operationId: string, operation: Operation): void => {
		const security = requirements(operation, part);
		const parameters = parametersOf(operation, part, schemas);
		const content = contentOf(operation);
		for (const name of [operation.tag, ...security.flatMap((one) => Object.keys(one))]) used.add(name);
		registry.registerPath({
			method: operation.method.toLowerCase() as Lowercase<Operation["method"]>,
			path: operation.path,
			operationId,
			tags: [operation.tag],
			summary: operation.summary,
			description: descriptionOf(operation, part),
			security,
			...(operation.port && { servers: [operationsPort] }),
			...(parameters.length > 0 && { parameters }),
			...(content && { request: { body: { required: !operation.bodyOptional, content } } }),
			responses: { ...successResponses(operationId, operation), ...errorResponses(operation, part) },
		});
	};
	for (const [name, operation] of Object.entries<Operation>(api)) {
		if (unserved.includes(name as OperationName) || !isFor(part, operation)) continue;
		register(name, operation);
		// A client is generated from an audience's document, and has no use for them.
		if (operation.alsoHead && part === "all") register(name.replace(/^get/, "head"), headOf(operation));
	}
	const hasWebhooks = part === "tenants" || part === "all";
	if (hasWebhooks) {
		registerWebhooks(registry);
		used.add(webhookTag);
	}
	for (const [name, scheme] of Object.entries(securitySchemesOf(serverUrl)))
		if (used.has(name)) registry.registerComponent("securitySchemes", name, scheme);
	const { webhooks, ...generated } = new OpenApiGeneratorV31(registry.definitions).generateDocument({
		openapi: "3.1.0",
		info: {
			title: "Reelmill",
			version: apiVersion,
			description: about(part),
			license: { name: "Apache-2.0", identifier: "Apache-2.0" },
			contact: { name: "Reelmill", url: "https://github.com/reelmill/reelmill" },
		},
		servers: [{ url: serverUrl }],
		tags: Object.entries(tags)
			.filter(([name]) => used.has(name))
			.map(([name, description]) => ({ name, description })),
	});
	return withSharedParts({ ...generated, ...(hasWebhooks && { webhooks }) } as OpenApiDocument);
}

const operationsPort = {
	url: "http://{address}",
	description: "The operations port.",
	variables: { address: { default: "127.0.0.1:9464", description: "Where the operations port listens." } },
};

/** The tenants' document, which generators read, stays small: there the entries of the audit log name the actions. */
const descriptionOf = ({ description, summary, audit }: Operation, part: Audience | "all"): string =>
	(description ?? `${summary}.`) +
	(audit === undefined || part === "tenants" ? "" : ` The audit log has it as \`${audit}\`.`);

/** Returns what HEAD does where GET does this. */
const headOf = (operation: Operation): Operation => ({
	...operation,
	method: "HEAD",
	summary: `${operation.summary}: headers only`,
	description: "The status and the headers that GET would answer with now, without the body.",
});
