import type {
	Content,
	DescribedOperation,
	OpenApiDocument,
	Parameter,
	Reference,
	Response,
} from "../openapi/document.ts";
import { exampleOf } from "./example.ts";
import { fieldRow, nameOf, typeText } from "./schema.ts";
import { anchor, escapeHtml, prose } from "./text.ts";

export type Endpoint = { method: string; path: string; operation: DescribedOperation; alsoHead: boolean };
type Components = OpenApiDocument["components"];
type Schemas = NonNullable<Components["schemas"]>;

/** Makes the section of an operation: who may call it, what to send, what comes back, which errors. */
export function operationSection(endpoint: Endpoint, serverUrl: string, components: Components): string {
	const { operationId, summary } = endpoint.operation;
	return `<section class="operation" id="${anchor(operationId)}">
<h3>${escapeHtml(summary)}</h3>
${operationBody(endpoint, serverUrl, components)}
</section>`;
}

/** Makes what stands below the heading of an operation. */
export function operationBody(
	{ method, path, operation, alsoHead }: Endpoint,
	serverUrl: string,
	components: Components,
): string {
	const { schemas = {} } = components;
	return `<p class="route"><span class="method ${method}">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code>${alsoHead ? '<span class="note">HEAD answers alike</span>' : ""}</p>
<p>${prose(operation.description)}</p>
<p class="credentials">${credentials(operation)}</p>
${parameters(operation, components)}${body(operation, schemas)}${responses(operation, components)}${command({ method, path, operation, serverUrl }, components)}`;
}

/** Returns the component that a reference names, or the part itself. */
function found<Part extends object>(part: Part | Reference, named: Readonly<Record<string, Part>> = {}): Part {
	if (!("$ref" in part)) return part;
	const name = nameOf(part.$ref);
	const component = named[name];
	if (component === undefined) throw new Error(`The document has no component ${name}.`);
	return component;
}

function credentials({ security = [] }: DescribedOperation): string {
	const names = security
		.flatMap((requirement) => Object.keys(requirement))
		.map((name) => `<a href="#credential-${name}">${name}</a>`);
	if (names.length === 0) return "No credentials.";
	return `Credentials: ${names.join(" or ")}${security.some((requirement) => Object.keys(requirement).length === 0) ? " or none" : ""}.`;
}

function parameters({ parameters: list = [] }: DescribedOperation, { parameters: named }: Components): string {
	if (list.length === 0) return "";
	const rows = list
		.map((one) => found<Parameter>(one, named))
		.map((one) =>
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

function exampleIn(content: Content | undefined, schemas: Schemas): unknown {
	const schema = content?.["application/json"]?.schema;
	return schema?.$ref === undefined ? undefined : exampleOf(schema, schemas);
}

function body({ requestBody }: DescribedOperation, schemas: Schemas): string {
	if (requestBody === undefined) return "";
	const ref = requestBody.content["application/json"]?.schema?.$ref;
	const named = ref === undefined ? undefined : schemas[nameOf(ref)];
	const rows = Object.entries(named?.properties ?? {}).map(([name, field]) =>
		fieldRow(name, named?.required?.includes(name) ?? false, field),
	);
	return `<h4>Body: ${content(requestBody.content)}</h4>${rows.length === 0 ? "" : `<table><tbody>${rows.join("")}</tbody></table>`}`;
}

/** Headers that all answers share stand in the document alone. */
const ofEveryAnswer = new Set(["x-request-id", "cache-control", "x-content-type-options", "content-security-policy"]);

function responses({ responses: byStatus }: DescribedOperation, { responses: named }: Components): string {
	const rows = Object.entries(byStatus).map(([status, answer]) => {
		const { description, content: types, headers } = found<Response>(answer, named);
		const failed = status.startsWith("4") || status.startsWith("5");
		const names = failed ? [] : Object.keys(headers ?? {}).filter((name) => !ofEveryAnswer.has(name));
		const parts = [
			failed || types === undefined ? "" : content(types),
			...description.split("\n").map(prose),
			names.length === 0 ? "" : `Headers: ${names.map((name) => `<code>${escapeHtml(name)}</code>`).join(" ")}`,
		];
		return `<tr><td class="status${failed ? " failed" : ""}">${status}</td><td>${parts.filter((part) => part !== "").join("<br>")}</td></tr>`;
	});
	return `<h4>Answers</h4><table class="answers"><tbody>${rows.join("")}</tbody></table>`;
}

function command(
	{ method, path, operation, serverUrl }: Omit<Endpoint, "alsoHead"> & { serverUrl: string },
	{ schemas = {}, responses: named }: Components,
): string {
	const sent = exampleIn(operation.requestBody?.content, schemas);
	const isWebhook = !path.startsWith("/");
	if (isWebhook)
		return `<details><summary>Example</summary><pre>${escapeHtml(JSON.stringify(sent, null, 2))}</pre></details>`;
	if (method === "head" || (operation.requestBody !== undefined && sent === undefined)) return "";
	const credential = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement))[0];
	const lines = [
		`curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} ${serverUrl}${path.replace(/\{(\w+)\}/g, (_match, name: string) => `$${name.toUpperCase()}`)}`,
	];
	if (credential !== undefined)
		lines.push(credential === "consoleSession" ? '-H "Cookie: $SESSION"' : '-H "Authorization: Bearer $KEY"');
	if (sent !== undefined) lines.push(`--json '${JSON.stringify(sent, null, 2)}'`);
	const [, received] = Object.entries(operation.responses).find(([status]) => status.startsWith("2")) ?? [];
	const answer = received && exampleIn(found<Response>(received, named).content, schemas);
	return `<details><summary>Example</summary><pre>${escapeHtml(lines.join(" \\\n  "))}</pre>${answer === undefined ? "" : `<pre>${escapeHtml(JSON.stringify(answer, null, 2))}</pre>`}</details>`;
}
