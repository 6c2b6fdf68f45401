import { api, type OperationName } from "./api.ts";
import { about } from "./openapi/about.ts";
import { isFor } from "./openapi/audiences.ts";
import { withoutUnused } from "./openapi/components.ts";
import { requestBody } from "./openapi/contents.ts";
import type { DescribedOperation, OpenApiDocument, PathItem } from "./openapi/document.ts";
import { errorResponses } from "./openapi/error-responses.ts";
import { sharedHeaders } from "./openapi/headers.ts";
import { parametersOf } from "./openapi/parameters.ts";
import { successResponses } from "./openapi/responses.ts";
import { type ConvertedSchemas, convertSchemas } from "./openapi/schemas.ts";
import { requirements, securitySchemesOf } from "./openapi/security.ts";
import { withSharedParts } from "./openapi/shared-parts.ts";
import { webhookParameters, webhookResponses, webhooks, webhookTag } from "./openapi/webhooks.ts";
import type { Audience, Operation } from "./operation.ts";
import { tags } from "./tags.ts";

export { createReferencePage, referencePagePolicy } from "./reference/page.ts";
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
	const schemas = convertSchemas();
	const chosen = (Object.entries(api) as [OperationName, Operation][]).filter(
		([name, operation]) => !unserved.includes(name) && isFor(part, operation),
	);
	const { paths, components } = withSharedParts(pathsOf(chosen, part, schemas));
	const hasWebhooks = part === "tenants" || part === "all";
	const used = new Set<string>([...chosen.map(([, { tag }]) => tag), ...(hasWebhooks ? [webhookTag] : [])]);
	return withoutUnused({
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
		...withCommonSecurity(paths),
		...(hasWebhooks && { webhooks: webhooks() }),
		components: {
			schemas: { ...schemas.components },
			parameters: { ...components.parameters, ...webhookParameters },
			headers: { ...sharedHeaders, ...components.headers },
			responses: {
				...components.responses,
				...Object.fromEntries(
					Object.entries(webhookResponses).map(([name, { description }]) => [name, { description }]),
				),
			},
			securitySchemes: securitySchemesOf(serverUrl),
		},
	});
}

/** Says once, for all operations, what most of them ask for; the others keep theirs. */
function withCommonSecurity(paths: Record<string, PathItem>): Pick<OpenApiDocument, "paths" | "security"> {
	const counts = new Map<string, number>();
	const operations = Object.values(paths).flatMap((item) => Object.values(item));
	for (const { security } of operations)
		counts.set(JSON.stringify(security), (counts.get(JSON.stringify(security)) ?? 0) + 1);
	const [common = "[]"] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
	for (const operation of operations) if (JSON.stringify(operation.security) === common) delete operation.security;
	return { security: JSON.parse(common) as Record<string, string[]>[], paths };
}

function pathsOf(
	operations: readonly [OperationName, Operation][],
	part: Audience | "all",
	schemas: ConvertedSchemas,
): Record<string, PathItem> {
	const paths: Record<string, PathItem> = {};
	const add = (operationId: string, operation: Operation) => {
		const method = operation.method.toLowerCase() as keyof PathItem;
		paths[operation.path] = { ...paths[operation.path], [method]: described(operationId, operation, part, schemas) };
	};
	for (const [name, operation] of operations) {
		add(name, operation);
		// A client is generated from an audience's document, and has no use for them.
		if (operation.alsoHead && part === "all")
			add(name.replace(/^get/, "head"), {
				...operation,
				method: "HEAD",
				summary: `${operation.summary}: headers only`,
				description: "The status and the headers that GET would answer with now, without the body.",
			});
	}
	return paths;
}

function described(
	operationId: string,
	operation: Operation,
	part: Audience | "all",
	schemas: ConvertedSchemas,
): DescribedOperation {
	const parameters = parametersOf(operation, part, schemas);
	const body = requestBody(operation);
	return {
		operationId,
		tags: [operation.tag],
		summary: operation.summary,
		description: operation.description ?? `${operation.summary}.`,
		security: requirements(operation, part),
		...(operation.port && {
			servers: [
				{
					url: "http://{address}",
					description: "The operations port.",
					variables: { address: { default: "127.0.0.1:9464", description: "Where the operations port listens." } },
				},
			],
		}),
		...(parameters.length > 0 && { parameters }),
		...(body && { requestBody: body }),
		responses: { ...successResponses(operation), ...errorResponses(operation, part) },
	};
}
