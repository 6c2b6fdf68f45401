import type { OpenApiDocument } from "../../../packages/contracts/src/openapi/document.ts";
import { createOpenApiDocument } from "../../../packages/contracts/src/openapi.ts";
import type { Audience } from "../../../packages/contracts/src/operation.ts";

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
const raw = (html: string): string => `\`\`\`raw\n<div v-pre>${html}</div>\n\`\`\`\n`;

/** A link out of the pages that VitePress made: it takes no part in their routing. */
const link = (href: string, text: string): string => `<a href="${href}" target="_self">${text}</a>`;

/**
 * Returns the Markdown of the page about the API, `api/index`. It names each operation of tenants, so that the site's
 * search finds it, and leads to its place in the reference.
 */
export function aboutApi(): string {
	const { info, tags, paths } = documentOf("tenants");
	const [what = "", ...sections] = info.description.split("\n\n");
	const operations = Object.entries(paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
	);
	const lists = tags.map(({ name, description }) => {
		const place = name.toLowerCase().replaceAll(" ", "-");
		const rows = operations
			.filter((operation) => operation.tags.includes(name))
			.map(
				({ method, path, summary }) =>
					`<tr><td>${link(`docs.html#tenants/tag/${place}/${method}${path}`, summary)}</td><td><code>${method} ${path}</code></td></tr>`,
			);
		return `### ${name}\n\n${description}\n\n${raw(`<table><tbody>${rows.join("")}</tbody></table>`)}`;
	});
	const documents = Object.values(parts).map(
		({ file, about }) => `<tr><td>${link(file, file)}</td><td>${about}</td></tr>`,
	);
	return [
		"# The API",
		what,
		raw(
			`<p>${link("docs.html", "The reference")} shows, searches and tries each operation, as a server's own page at <code>/docs</code> does. From here it asks a server of yours, with the key of a sandbox session that this server gives for a day.</p>`,
		),
		"`npm start` gives you such a server on your own machine. [The sandbox](../guides/operations.md#the-sandbox) says what a session may do.",
		...sections,
		"## Operations",
		...lists,
		"## The documents",
		"Every server serves these OpenAPI 3.1 documents with its own address, under `/v1/`. A client is [generated](../guides/generated-clients.md) of the one for its audience.",
		raw(`<table><tbody>${documents.join("")}</tbody></table>`),
	].join("\n\n");
}
