import { fieldRow, type Schema, typeText } from "./schema.ts";
import { anchor, escapeHtml, prose } from "./text.ts";

type Content = Record<string, { schema?: Schema }>;
export type Operation = {
	operationId: string;
	summary: string;
	description?: string;
	tags: string[];
	security?: Record<string, string[]>[];
	parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
	requestBody?: { content: Content };
	responses: Record<
		string,
		{ description: string; content?: Content; headers?: Record<string, { description?: string; $ref?: string }> }
	>;
};
export type Endpoint = { method: string; path: string; operation: Operation; alsoHead: boolean };
type Schemas = Record<string, Schema>;

/** Makes the section of an operation: who may call it, what to send, what comes back, which errors. */
export function operationSection(
	{ method, path, operation, alsoHead }: Endpoint,
	serverUrl: string,
	schemas: Schemas,
): string {
	return `<section class="operation" id="${anchor(operation.operationId)}">
<h3>${escapeHtml(operation.summary)}</h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code>${alsoHead ? '<span class="note">HEAD answers alike</span>' : ""}</p>
${operation.description === undefined ? "" : `<p>${prose(operation.description)}</p>`}
<p class="credentials">${credentials(operation)}</p>
${parameters(operation)}${body(operation, schemas)}${responses(operation)}${command(method, path, operation, serverUrl, schemas)}
</section>`;
}

function credentials({ security = [] }: Operation): string {
	const names = security
		.flatMap((requirement) => Object.keys(requirement))
		.map((name) => `<a href="#credential-${name}">${name}</a>`);
	if (names.length === 0) return "No credentials.";
	return `Credentials: ${names.join(" or ")}${security.some((requirement) => Object.keys(requirement).length === 0) ? " or none" : ""}.`;
}

function parameters({ parameters: list = [] }: Operation): string {
	if (list.length === 0) return "";
	const rows = list.map((one) =>
		fieldRow(
			`${one.name}`,
			one.required ?? false,
			one.schema,
			`${one.in === "header" ? "Header. " : one.in === "query" ? "Query. " : ""}${one.description ?? ""}`,
		),
	);
	return `<h4>Parameters</h4><table><tbody>${rows.join("")}</tbody></table>`;
}

const content = (types: Content): string =>
	Object.entries(types)
		.map(([type, { schema }]) => (schema?.$ref === undefined ? escapeHtml(type) : typeText(schema)))
		.join(", ");

function exampleOf(types: Content | undefined, schemas: Schemas): unknown {
	const ref = types?.["application/json"]?.schema?.$ref;
	return ref === undefined ? undefined : schemas[ref.slice(ref.lastIndexOf("/") + 1)]?.examples?.[0];
}

function body({ requestBody }: Operation, schemas: Schemas): string {
	if (requestBody === undefined) return "";
	const ref = requestBody.content["application/json"]?.schema?.$ref;
	const named = ref === undefined ? undefined : schemas[ref.slice(ref.lastIndexOf("/") + 1)];
	const rows = Object.entries(named?.properties ?? {}).map(([name, field]) =>
		fieldRow(name, named?.required?.includes(name) ?? false, field),
	);
	return `<h4>Body: ${content(requestBody.content)}</h4>${rows.length === 0 ? "" : `<table><tbody>${rows.join("")}</tbody></table>`}`;
}

function responses({ responses: byStatus }: Operation): string {
	const rows = Object.entries(byStatus).map(([status, { description, content: types, headers }]) => {
		const failed = status.startsWith("4") || status.startsWith("5");
		// Headers that all answers share stand in the document alone.
		const names = Object.entries(headers ?? {}).flatMap(([name, { $ref }]) =>
			failed || $ref !== undefined ? [] : [name],
		);
		const parts = [
			failed || types === undefined ? "" : content(types),
			...description.split("\n").map(prose),
			names.length === 0 ? "" : `Headers: ${names.map((name) => `<code>${escapeHtml(name)}</code>`).join(" ")}`,
		];
		return `<tr><td class="status${failed ? " failed" : ""}">${status}</td><td>${parts.filter((part) => part !== "" && part !== "Success.").join("<br>") || "No body."}</td></tr>`;
	});
	return `<h4>Answers</h4><table class="answers"><tbody>${rows.join("")}</tbody></table>`;
}

function command(method: string, path: string, operation: Operation, serverUrl: string, schemas: Schemas): string {
	const sent = exampleOf(operation.requestBody?.content, schemas);
	const isWebhook = !path.startsWith("/");
	if (isWebhook)
		return `<details><summary>Example</summary><pre>${escapeHtml(JSON.stringify(sent, null, 2))}</pre></details>`;
	if (method === "head" || (operation.requestBody !== undefined && sent === undefined)) return "";
	const credential = operation.security?.flatMap((requirement) => Object.keys(requirement))[0];
	const lines = [
		`curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} ${serverUrl}${path.replace(/\{(\w+)\}/g, (_match, name: string) => `$${name.toUpperCase()}`)}`,
	];
	if (credential !== undefined)
		lines.push(credential === "consoleSession" ? '-H "Cookie: $SESSION"' : '-H "Authorization: Bearer $KEY"');
	if (sent !== undefined) lines.push(`--json '${JSON.stringify(sent, null, 2)}'`);
	const received = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1].content;
	const answer = exampleOf(received, schemas);
	return `<details><summary>Example</summary><pre>${escapeHtml(lines.join(" \\\n  "))}</pre>${answer === undefined ? "" : `<pre>${escapeHtml(JSON.stringify(answer, null, 2))}</pre>`}</details>`;
}
