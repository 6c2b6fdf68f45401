import type * as z from "zod";
import { type Audience, type Operation, takesSession } from "../operation.ts";
import type { Parameter } from "./document.ts";
import { domainHeader, gateHeader } from "./headers.ts";
import type { ConvertedSchemas } from "./schemas.ts";

/** Describes what an operation takes in its path, its query and its headers. */
export function parametersOf(operation: Operation, audience: Audience | "all", schemas: ConvertedSchemas): Parameter[] {
	const { method, auth, params, query, headers } = operation;
	const isOfSession = audience === "console";
	const isGated = isOfSession && method !== "GET" && (takesSession(operation) || auth === "none");
	return [
		...parametersIn("path", schemas, params),
		...parametersIn("query", schemas, query),
		...parametersIn("header", schemas, headers),
		...parametersIn("header", schemas, isGated ? gateHeader : undefined),
		...parametersIn("header", schemas, isOfSession && auth === "tenant" ? domainHeader : undefined),
	];
}

/** Describes the fields of an object as parameters. */
export function parametersIn(
	place: Parameter["in"],
	{ fieldsOf }: ConvertedSchemas,
	object?: z.ZodObject,
): Parameter[] {
	const { properties = {}, required = [] } = object === undefined ? {} : fieldsOf(object);
	return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
		name,
		in: place,
		...((place === "path" || (required.includes(name) && schema.default === undefined)) && { required: true }),
		...(description !== undefined && { description }),
		schema,
		...(examples !== undefined && { example: examples[0] }),
	}));
}
