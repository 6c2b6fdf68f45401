import type { OpenApiDocument, PathItem } from "../openapi/document.ts";
import { type Endpoint, operationSection } from "./operation.ts";
import { fieldTable } from "./schema.ts";
import { style } from "./style.ts";
import { anchor, article, escapeHtml, prose } from "./text.ts";

/** The Content-Security-Policy of the page: it runs no script and loads nothing. */
export const referencePagePolicy =
	"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Makes the API reference of a document as one HTML page. It has no script and fetches nothing.
 * @param options.document the result of `createOpenApiDocument`
 * @param options.documentUrl the address of the document, for the link to it, for example `/v1/openapi.json`
 * @param options.otherDocuments the addresses of the documents of other audiences, by what stands for them in the
 * sentence "Other documents: ..." (default: no such sentence)
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
	otherDocuments = {},
}: {
	document: OpenApiDocument;
	documentUrl: string;
	otherDocuments?: Readonly<Record<string, string>>;
}): string {
	const { info, servers, tags, components } = document;
	const { schemas = {}, securitySchemes = {} } = components;
	const serverUrl = servers[0]?.url ?? "";
	const all = endpointsOf(document);
	const groups = tags.map((tag) => ({
		...tag,
		endpoints: all.filter(({ operation }) => operation.tags.includes(tag.name)),
	}));
	const others = Object.entries(otherDocuments).map(
		([audience, address]) => `<a href="${escapeHtml(address)}">${escapeHtml(audience)}</a>`,
	);
	const link = (id: string, text: string) => `<a href="#${id}">${escapeHtml(text)}</a>`;
	const navigation = groups.map(
		({ name, endpoints: list }) =>
			`<strong>${escapeHtml(name)}</strong>${list.map(({ operation }) => link(anchor(operation.operationId), operation.summary)).join("")}`,
	);
	const sections = groups.map(
		({ name, description, endpoints: list }) =>
			`<h2 id="tag-${anchor(name)}">${escapeHtml(name)}</h2><p>${prose(description)}</p>${list.map((endpoint) => operationSection(endpoint, serverUrl, components)).join("")}`,
	);
	const credentials = Object.entries(securitySchemes).map(
		([name, scheme]) =>
			`<tr id="credential-${name}"><td><code>${escapeHtml(name)}</code></td><td>${prose(scheme.description)}</td></tr>`,
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
${article(info.description)}
<p>Base address <code>${escapeHtml(serverUrl)}</code>. The same as an <a href="${escapeHtml(documentUrl)}">OpenAPI 3.1 document</a>.${others.length === 0 ? "" : ` Other documents: ${others.join(", ")}.`}</p>
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

/** Returns every operation of a document, its webhooks last, each with the credentials that hold for it. */
export const endpointsOf = ({ security = [], paths, webhooks = {} }: OpenApiDocument): Endpoint[] =>
	[...endpoints(paths), ...endpoints(webhooks)].map((endpoint) => ({
		...endpoint,
		operation: { security, ...endpoint.operation },
	}));

function endpoints(paths: Readonly<Record<string, PathItem>>): Endpoint[] {
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
