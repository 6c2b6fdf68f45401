import type { OpenApiDocument } from "../../../packages/contracts/src/openapi/document.ts";
import { createOpenApiDocument } from "../../../packages/contracts/src/openapi.ts";
import type { Audience } from "../../../packages/contracts/src/operation.ts";
import { type Endpoint, operationBody } from "../../../packages/contracts/src/reference/operation.ts";
import { endpointsOf } from "../../../packages/contracts/src/reference/page.ts";
import { fieldTable } from "../../../packages/contracts/src/reference/schema.ts";
import { anchor, prose } from "../../../packages/contracts/src/reference/text.ts";
import type { TriedOperation } from "../theme/operation.ts";
import { triedOperation } from "./tried.ts";

/** A page of the API's reference: its place on the site without `.md`, its title in the menu, its Markdown. */
export type ApiPage = { readonly place: string; readonly title: string; readonly text: string };

const serverUrl = "https://video.example.com";

/** Whose documents there are, and the file of each. */
const parts = {
	tenants: { file: "openapi.json", about: "what your back end, your pages and players call, and webhooks" },
	operators: { file: "openapi.operators.json", about: "the admin plane and the operations port" },
	workers: { file: "openapi.workers.json", about: "the internal plane, of transcoders" },
	console: { file: "openapi.console.json", about: "all that a session of the console may call" },
	all: { file: "openapi.all.json", about: "everything" },
} as const satisfies Record<Audience | "all", { file: string; about: string }>;

const documentOf = (part: Audience | "all"): OpenApiDocument => createOpenApiDocument({ serverUrl, part });

/** Returns the five OpenAPI documents of a server, by the names of their files, and what each is about. */
export const apiDocuments = (): {
	readonly file: string;
	readonly about: string;
	readonly document: OpenApiDocument;
}[] => (Object.keys(parts) as (Audience | "all")[]).map((part) => ({ ...parts[part], document: documentOf(part) }));

/** Passes HTML through Markdown as it is. */
const raw = (html: string): string => `\`\`\`raw\n${html}\n\`\`\`\n`;
const still = (html: string): string => raw(`<div v-pre class="api">${html}</div>`);

/** The pages that say what a credential or a schema is. VitePress' search takes a heading with a bare `#` for two. */
type Links = { readonly credentials: string; readonly schemas: string };
const linked = (html: string, { credentials, schemas }: Links): string =>
	html
		.replaceAll('href="#credential-', `href="${credentials}#credential-`)
		.replaceAll('href="#schema-', `href="${schemas}#schema-`);

const credentialsOf = ({ components }: OpenApiDocument): string => {
	const rows = Object.entries(components.securitySchemes ?? {}).map(
		([name, { description }]) =>
			`<tr id="credential-${name}"><td><code>${name}</code></td><td>${prose(description)}</td></tr>`,
	);
	return still(`<table class="credentials"><tbody>${rows.join("")}</tbody></table>`);
};

const schemasOf = ({ components }: OpenApiDocument, links: Links): string =>
	Object.entries(components.schemas ?? {})
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([name, schema]) => `### ${name} {#schema-${name}}\n\n${still(linked(fieldTable(schema), links))}`)
		.join("\n");

function operationsOf(
	depth: "##" | "###",
	endpoints: readonly Endpoint[],
	document: OpenApiDocument,
	links: Links,
): string {
	return endpoints
		.map((endpoint) => {
			const { operationId, summary } = endpoint.operation;
			const body = still(linked(operationBody(endpoint, serverUrl, document.components), links));
			const form = triedOperation(endpoint, document) === undefined ? "" : `\n${raw(`<TryIt id="${operationId}" />`)}`;
			return `${depth} ${summary} {#${anchor(operationId)}}\n\n${body}${form}`;
		})
		.join("\n");
}

/** Makes the pages of the reference: one a tag for tenants, one a document for the others. */
export function apiPages(): ApiPage[] {
	const document = documentOf("tenants");
	const links: Links = { credentials: "index.html", schemas: "schemas.html" };
	const all = endpointsOf(document);
	const tags = document.tags.map(({ name, description }) => ({
		place: `api/${anchor(name)}`,
		title: name,
		text: `# ${name}\n\n${description}\n\n${operationsOf(
			"##",
			all.filter(({ operation }) => operation.tags.includes(name)),
			document,
			links,
		)}`,
	}));
	const others = (["operators", "workers", "console"] as const).map((part) => {
		const own = documentOf(part);
		const here: Links = { credentials: `${part}.html`, schemas: `${part}.html` };
		const groups = own.tags.map(({ name, description }) => {
			const endpoints = endpointsOf(own).filter(({ operation }) => operation.tags.includes(name));
			return `## ${name}\n\n${description}\n\n${operationsOf("###", endpoints, own, here)}`;
		});
		const whom = part === "console" ? "the console" : part;
		return {
			place: `api/${part}`,
			title: `For ${whom}`,
			text: `# The API for ${whom}\n\n${own.info.description}\n\n## Credentials\n\n${credentialsOf(own)}\n${groups.join("\n")}\n## Schemas\n\n${schemasOf(own, here)}`,
		};
	});
	return [
		{ place: "api/index", title: "About the API", text: about(document, tags) },
		...tags,
		{
			place: "api/schemas",
			title: "Schemas",
			text: `# Schemas\n\nWhat requests and answers of tenants consist of.\n\n${schemasOf(document, links)}`,
		},
		...others,
	];
}

function about(document: OpenApiDocument, tags: readonly ApiPage[]): string {
	const rows = Object.values(parts).map(
		({ file, about: what }) => `<tr><td><a href="${file}">${file}</a></td><td>${what}</td></tr>`,
	);
	return [
		"# The API",
		document.info.description.split("\n\n", 1)[0],
		"Below each operation, **Try it** sends the request from this page to a server of yours, with the key of a [sandbox session](../guides/operations.md#the-sandbox) that the server gives for a day. `npm start` gives you such a server on your own machine.",
		`Operations on ${tags.map(({ title, place }) => `[${title.toLowerCase()}](./${place.slice(4)}.md)`).join(", ")}; [schemas](./schemas.md); the planes of [operators](./operators.md), [workers](./workers.md) and [the console](./console.md).`,
		...document.info.description.split("\n\n").slice(1),
		"## Credentials",
		credentialsOf(document),
		"## The documents",
		"Every server serves these OpenAPI 3.1 documents with its own address, under `/v1/`. A client is [generated](../guides/generated-clients.md) of the one for its audience.",
		still(`<table><tbody>${rows.join("")}</tbody></table>`),
	].join("\n\n");
}

/** Returns what the forms of all operations need, by the operation's id. */
export function triedOperations(): Readonly<Record<string, TriedOperation>> {
	const documents = (["tenants", "operators"] as const).map(documentOf);
	const tried = documents.flatMap((document) =>
		endpointsOf(document).map((endpoint) => triedOperation(endpoint, document)),
	);
	return Object.fromEntries(tried.flatMap((one) => (one === undefined ? [] : [[one.id, one]])));
}
