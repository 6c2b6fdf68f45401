import type { OpenApiDocument } from "../openapi/document.ts";
import { type Endpoint, type Operation, operationSection } from "./operation.ts";
import { fieldTable, type Schema } from "./schema.ts";
import { style } from "./style.ts";
import { anchor, escapeHtml, prose } from "./text.ts";

type Document = {
	info: { title: string; version: string; description?: string };
	servers?: { url: string }[];
	tags?: { name: string; description?: string }[];
	paths?: Record<string, Record<string, Operation>>;
	webhooks?: Record<string, Record<string, Operation>>;
	components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, { description?: string }> };
};

/** The Content-Security-Policy of the page: it runs no script and loads nothing. */
export const referencePagePolicy =
	"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Makes the API reference of a document as one HTML page. It has no script and fetches nothing.
 * @param options.document the result of `createOpenApiDocument`
 * @param options.documentUrl the address of the document, for the link to it, for example `/v1/openapi.json`
 * @param options.wholeDocumentUrl the address of the document of every plane, if `document` has only a part (default:
 * no link)
 * @returns a whole HTML document in UTF-8
 * @example
 * ```ts
 * import { createOpenApiDocument, createReferencePage } from "@reelmill/contracts/openapi";
 *
 * const document = createOpenApiDocument({ serverUrl: "https://video.example.com" });
 * const html = createReferencePage({ document, documentUrl: "/v1/openapi.json" });
 * console.log(html.startsWith("<!doctype html>")); // => true
 * ```
 */
export function createReferencePage({
	document,
	documentUrl,
	wholeDocumentUrl,
}: {
	document: OpenApiDocument;
	documentUrl: string;
	wholeDocumentUrl?: string;
}): string {
	const { info, servers, tags = [], webhooks = {}, components = {}, ...rest } = document as unknown as Document;
	const { schemas = {}, securitySchemes = {} } = components;
	const serverUrl = servers?.[0]?.url ?? "";
	const all = [...endpoints(rest.paths ?? {}), ...endpoints(webhooks)];
	const groups = tags.map((tag) => ({
		...tag,
		endpoints: all.filter(({ operation }) => operation.tags.includes(tag.name)),
	}));
	const link = (id: string, text: string) => `<a href="#${id}">${escapeHtml(text)}</a>`;
	const navigation = groups.map(
		({ name, endpoints: list }) =>
			`<strong>${escapeHtml(name)}</strong>${list.map(({ operation }) => link(anchor(operation.operationId), operation.summary)).join("")}`,
	);
	const sections = groups.map(
		({ name, description = "", endpoints: list }) =>
			`<h2 id="tag-${anchor(name)}">${escapeHtml(name)}</h2><p>${prose(description)}</p>${list.map((endpoint) => operationSection(endpoint, serverUrl, schemas)).join("")}`,
	);
	const credentials = Object.entries(securitySchemes).map(
		([name, scheme]) =>
			`<tr id="credential-${name}"><td><code>${escapeHtml(name)}</code></td><td>${prose(scheme.description ?? "")}</td></tr>`,
	);
	const named = Object.entries(schemas)
		.sort(([a], [b]) => a.localeCompare(b))
		.map(
			([name, schema]) =>
				`<section class="schema" id="schema-${name}"><h3>${escapeHtml(name)}</h3>${fieldTable(schema)}</section>`,
		);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API reference</title>
<style>${style}</style>
</head>
<body>
<nav><a href="#top"><b>${escapeHtml(info.title)}</b> ${escapeHtml(info.version)}</a><strong>About</strong>${link("credentials", "Credentials")}${navigation.join("")}<strong>Schemas</strong>${Object.keys(
		schemas,
	)
		.sort()
		.map((name) => link(`schema-${name}`, name))
		.join("")}</nav>
<main>
<h1 id="top">${escapeHtml(info.title)} API</h1>
<p>${prose(info.description ?? "")}</p>
<p>Base address <code>${escapeHtml(serverUrl)}</code>. The same as an <a href="${escapeHtml(documentUrl)}">OpenAPI 3.1 document</a>.${
		wholeDocumentUrl === undefined
			? ""
			: ` The planes of workers and operators are in <a href="${escapeHtml(wholeDocumentUrl)}">another one</a>.`
	}</p>
<h2 id="credentials">Credentials</h2>
<table class="credentials"><tbody>${credentials.join("")}</tbody></table>
${sections.join("\n")}
<h2 id="schemas">Schemas</h2>
${named.join("\n")}
</main>
</body>
</html>
`;
}

function endpoints(paths: Record<string, Record<string, Operation>>): Endpoint[] {
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods)
			.filter(([method]) => method !== "head" || methods.get === undefined)
			.map(([method, operation]) => ({
				method,
				path,
				operation,
				alsoHead: method === "get" && methods.head !== undefined,
			})),
	);
}
