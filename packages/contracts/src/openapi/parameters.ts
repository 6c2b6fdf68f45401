import type * as z from "zod";
import { type Audience, type Operation, takesSession } from "../operation.ts";
import { consoleHeaders } from "../resources/console.ts";
import type { JsonSchema, Parameter } from "./document.ts";
import type { ConvertedSchemas } from "./schemas.ts";

/** Describes what an operation takes in its path, its query and its headers. */
export function parametersOf(
	operation: Operation,
	audience: Audience | "all",
	{ fieldsOf }: ConvertedSchemas,
): Parameter[] {
	const parameters = (place: Parameter["in"], fields: z.ZodObject | undefined) =>
		fields === undefined ? [] : parametersIn(place, fieldsOf(fields));
	return [
		...parameters("path", operation.params),
		...parameters("query", operation.query),
		...parameters("header", operation.headers),
		...(audience === "console" ? ofSession(operation) : []),
	];
}

function parametersIn(place: Parameter["in"], { properties = {}, required = [] }: JsonSchema): Parameter[] {
	return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
		name,
		in: place,
		...((place === "path" || (required.includes(name) && schema.default === undefined)) && { required: true }),
		...(description !== undefined && { description }),
		schema,
		...(examples !== undefined && { example: examples[0] }),
	}));
}

/** The two headers by which a browser that holds a session says that the console's page sent it, and for whom. */
function ofSession(operation: Operation): Parameter[] {
	const named = (name: string, description: string, schema: JsonSchema, example: string): Parameter => ({
		name,
		in: "header",
		required: true,
		description,
		schema,
		example,
	});
	const gate = named(
		consoleHeaders.console,
		"Any value. A page of another origin can't send this header, so a request that has it is the console's own.",
		{ type: "string", minLength: 1 },
		"1",
	);
	const domain = named(
		consoleHeaders.domain,
		"The id of the domain that the request is about: one of the session's `domains`.",
		{ type: "string", format: "uuid" },
		"0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21",
	);
	return [
		...(operation.method !== "GET" && (takesSession(operation) || operation.auth === "none") ? [gate] : []),
		...(operation.auth === "tenant" ? [domain] : []),
	];
}
