import type {
	JsonSchema,
	OpenApiDocument,
	Parameter,
	Reference,
} from "../../../packages/contracts/src/openapi/document.ts";
import { exampleOf } from "../../../packages/contracts/src/reference/example.ts";
import type { Endpoint } from "../../../packages/contracts/src/reference/operation.ts";
import type { Credential, Field, TriedOperation } from "../theme/operation.ts";

const last = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** Returns what the form of an operation needs; undefined if it takes a credential that no page should hold. */
export function triedOperation(
	{ method, path, operation }: Endpoint,
	{ components }: OpenApiDocument,
): TriedOperation | undefined {
	const schemes = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
	const credential = (["sandboxKey", "uploadToken", "playbackKey"] as const).find((one) => schemes.includes(one));
	const isRefused = credential === undefined && schemes.includes("domainKey");
	// What listens on another port isn't at the address that the reader gives.
	if (!path.startsWith("/") || operation.servers !== undefined) return undefined;
	if (credential === undefined && !isRefused && schemes.length > 0) return undefined;
	return {
		id: operation.operationId,
		method,
		path,
		fields: (operation.parameters ?? []).map((one) => fieldOf(one, components)),
		body: bodyOf(operation.requestBody, components),
		credential: isRefused ? "sandboxKey" : ((credential ?? null) satisfies Credential | null),
		isRefused,
	};
}

function fieldOf(one: Parameter | Reference, { parameters = {}, schemas = {} }: OpenApiDocument["components"]): Field {
	const found = "$ref" in one ? parameters[last(one.$ref)] : one;
	if (found === undefined) throw new Error(`The document has no ${JSON.stringify(one)}.`);
	const { name, in: place, required = false, schema, example } = found;
	const whole: JsonSchema = schema.$ref === undefined ? schema : (schemas[last(schema.$ref)] ?? {});
	const value = example ?? whole.const ?? exampleOf(whole, schemas) ?? "";
	return { name, in: place, required, example: String(value), choices: (whole.enum ?? []).map(String) };
}

function bodyOf(
	body: Endpoint["operation"]["requestBody"],
	{ schemas = {} }: OpenApiDocument["components"],
): TriedOperation["body"] {
	const [first] = Object.entries(body?.content ?? {});
	if (first === undefined) return null;
	const [type, { schema }] = first;
	const isJson = type.endsWith("json");
	return { type, example: isJson ? JSON.stringify(exampleOf(schema, schemas) ?? {}, null, 2) : null };
}
