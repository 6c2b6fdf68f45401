import type { JsonSchema } from "../../packages/http/test/support/json-schema.ts";
import { inlined } from "./inlined.ts";

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;
type Parameter = {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly schema: JsonSchema;
};
type Answer = { readonly content?: Content };
type Reference = { readonly $ref: string };
type Described = {
	readonly operationId: string;
	readonly security?: readonly Readonly<Record<string, unknown>>[];
	readonly servers?: readonly unknown[];
	readonly parameters?: readonly (Parameter | Reference)[];
	readonly requestBody?: { readonly required?: boolean; readonly content: Content };
	readonly responses: Readonly<Record<string, Answer | Reference>>;
};
/** The part of an OpenAPI 3.1 document that the fuzz reads. */
export type ApiDocument = {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
	/** What is asked for by operations that don't say it themselves. */
	readonly security?: Described["security"];
	readonly components: {
		readonly schemas: Readonly<Record<string, JsonSchema>>;
		readonly parameters?: Readonly<Record<string, Parameter>>;
		readonly responses?: Readonly<Record<string, Answer>>;
	};
};

/** The kind of credential that an operation takes. */
export type Auth = "none" | "tenant" | "service" | "admin" | "console" | "upload" | "playback";
export type ApiOperation = {
	readonly name: string;
	readonly method: string;
	/** The path, with parameters in braces. */
	readonly path: string;
	readonly auth: Auth;
	/** A sandbox session may call it. */
	readonly sandbox: boolean;
	readonly port: "api" | "operations";
	/** An object schema of everything that the query may hold. */
	readonly query: JsonSchema | undefined;
	readonly headers: readonly string[];
	/** The JSON body's schema, without references. */
	readonly body: JsonSchema | undefined;
	/** The media type of a body that is not JSON. */
	readonly media: string | undefined;
	/**
	 * Returns how an answer with this status is described: its media types, with a schema for JSON. An answer without a
	 * body has no media type. Undefined if neither the status nor its range is declared.
	 */
	answer(status: number): { readonly content: Content } | undefined;
};

const methods = ["get", "head", "post", "put", "patch", "delete"];

/** Returns every operation of the document, in its order. */
export function readOperations(document: ApiDocument): ApiOperation[] {
	return Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item)
			.filter(([method]) => methods.includes(method))
			.map(([method, described]) => read(document, path, method, described)),
	);
}

function read(document: ApiDocument, path: string, method: string, described: Described): ApiOperation {
	const { operationId: name, security = document.security ?? [], servers, requestBody, responses } = described;
	const { components } = document;
	const parameters = (described.parameters ?? []).map((one) => found(one, components.parameters));
	const schemes = new Set(security.flatMap((one) => Object.keys(one)));
	const json = Object.entries(requestBody?.content ?? {}).find(([type]) => type === "application/json")?.[1].schema;
	const media = Object.keys(requestBody?.content ?? {}).find((type) => !type.endsWith("json"));
	const query = parameters.filter((one) => one.in === "query");
	return {
		name,
		method: method.toUpperCase(),
		path,
		auth: authOf(schemes),
		sandbox: schemes.has("sandboxKey"),
		port: servers === undefined ? "api" : "operations",
		query: query.length === 0 ? undefined : inlined(objectOf(query), document.components.schemas),
		headers: parameters.filter((one) => one.in === "header").map((one) => one.name.toLowerCase()),
		body: json && inlined(json, document.components.schemas),
		media,
		answer(status) {
			const declared = responses[status] ?? responses[`${String(status).charAt(0)}XX`];
			return declared && { content: found(declared, components.responses).content ?? {} };
		},
	};
}

/** Returns the component that a reference names, or the part itself. */
function found<Part extends object>(part: Part | Reference, named: Readonly<Record<string, Part>> = {}): Part {
	if (!("$ref" in part)) return part;
	const component = named[part.$ref.slice(part.$ref.lastIndexOf("/") + 1)];
	if (component === undefined) throw new Error(`The document has no ${part.$ref}.`);
	return component;
}

function authOf(schemes: ReadonlySet<string>): Auth {
	if (schemes.has("domainKey") || schemes.has("sandboxKey")) return "tenant";
	if (schemes.has("serviceToken")) return "service";
	if (schemes.has("adminKey")) return "admin";
	if (schemes.has("consoleSession")) return "console";
	if (schemes.has("uploadToken")) return "upload";
	return schemes.has("playbackKey") ? "playback" : "none";
}

const objectOf = (parameters: readonly Parameter[]): JsonSchema => ({
	type: "object",
	properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
	required: parameters.filter(({ required }) => required).map(({ name }) => name),
});
