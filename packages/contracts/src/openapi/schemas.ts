import * as z from "zod";
import { api } from "../api.ts";
import type { Operation } from "../operation.ts";
import { descriptions } from "./descriptions.ts";
import type { JsonSchema } from "./document.ts";
import { addExample } from "./example-of.ts";
import { allExamples } from "./examples.ts";
import { errorSchemas, nameOf, requestSchemas, responseSchemas, shared, uri } from "./named-schemas.ts";

const said: Readonly<Record<string, string>> = {
	...descriptions,
	ErrorMessage: "A sentence for people. It may change, and names the field of a `validation_error`.",
};
/** Returns what is said of a body's schema, if anything. */
export const descriptionOf = (schema: z.ZodType): string | undefined => said[nameOf(schema)];

/** The objects of parameters, each under its number. */
const objects = (Object.values(api) as Operation[])
	.flatMap(({ params, query, headers }) => [params, query, headers])
	.filter((one) => one !== undefined);

/**
 * Changes a schema of zod's: it loses what zod adds for its own checks, and what generators of other languages can't
 * read. An answer stays open: a field added to it must not break a generated client. Requests stay closed.
 */
function tidy(schema: JsonSchema, zodSchema: unknown, io: "input" | "output"): void {
	const [one, other] = schema.anyOf?.length === 2 ? schema.anyOf : [];
	// A plain value that may be null is a list of types, described once.
	if (other?.type === "null" && typeof one?.type === "string" && !one.enum && !one.properties && !one.items) {
		Object.assign(schema, { ...one, ...schema, type: [one.type, "null"] });
		delete schema.anyOf;
	}
	delete schema.propertyNames;
	if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
	if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
	if (schema.format !== undefined && schema.format !== "uuid") delete schema.pattern;
	if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
	// Of a field that is read from a text zod says neither default nor example.
	if (zodSchema instanceof z.ZodDefault && zodSchema.def.innerType instanceof z.ZodPipe)
		Object.assign(schema, { default: zodSchema.def.defaultValue, ...z.globalRegistry.get(zodSchema) });
	if (zodSchema instanceof z.ZodDiscriminatedUnion) {
		// The field that tells the choices apart, and each choice by its value.
		const propertyName = zodSchema.def.discriminator;
		const valuesOf = (index: number) => [...(zodSchema.options[index]?._zod.propValues?.[propertyName] ?? [])];
		const mapping = (schema.oneOf ?? []).flatMap(({ $ref }, index) => valuesOf(index).map((value) => [value, $ref]));
		schema.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
	}
	// What a component says of itself is not repeated beside a reference to it.
	const beside = schema.$ref === undefined ? [] : Object.keys(schema);
	for (const key of beside) if (!["$ref", "description", "default"].includes(key)) Reflect.deleteProperty(schema, key);
}

function convert(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, JsonSchema> {
	const registry = z.registry<{ id: string }>();
	for (const [id, schema] of Object.entries({ ...shared, ...schemas })) registry.add(schema, { id });
	const converted = z.toJSONSchema(registry, {
		uri,
		io,
		override: ({ jsonSchema, zodSchema }) => tidy(jsonSchema as JsonSchema, zodSchema, io),
	}).schemas as Record<string, JsonSchema & { $schema?: string; $id?: string }>;
	for (const [name, schema] of Object.entries(converted)) {
		delete schema.$schema;
		delete schema.$id;
		if (said[name] !== undefined) schema.description = said[name];
		addExample(schema, allExamples[name]);
	}
	return converted;
}

/**
 * Converts all schemas to JSON Schema 2020-12: requests as a caller writes them, responses as they are sent.
 * @returns every named schema, with its part of an example in each field, and a function that returns the fields of a
 * path, of a query or of headers
 */
export function convertSchemas() {
	const fields = convert(Object.fromEntries(objects.entries()), "input");
	const components = {
		...convert(requestSchemas, "input"),
		...convert({ ...responseSchemas, ...errorSchemas }, "output"),
	};
	return { components, fieldsOf: (object: z.ZodObject): JsonSchema => fields[objects.indexOf(object)] ?? {} };
}
export type ConvertedSchemas = ReturnType<typeof convertSchemas>;
