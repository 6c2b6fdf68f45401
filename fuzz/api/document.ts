import type { JsonSchema } from "../../packages/http/test/support/json-schema.ts";
import { inlined } from "./inlined.ts";

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;
type Parameter = {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly schema: JsonSchema;
};
type Described = {
	readonly operationId: string;
	readonly security?: readonly Readonly<Record<string, unknown>>[];
	readonly servers?: readonly unknown[];
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: { readonly required?: boolean; readonly content: Content };
	readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
/** The part of an OpenAPI 3.1 document that the fuzz reads. */
export type ApiDocument = {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
	readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
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
	/** The answers by status: their media types, with a schema for JSON. An answer without a body has no media type. */
	readonly answers: ReadonlyMap<number, { readonly content: Content }>;
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
	const { operationId: name, security = [], servers, parameters = [], requestBody, responses } = described;
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
		answers: new Map(Object.entries(responses).map(([status, { content = {} }]) => [Number(status), { content }])),
	};
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
