import * as z from "zod";
import { api } from "../api.ts";
import { errors } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { descriptions } from "./descriptions.ts";
import type { JsonSchema } from "./document.ts";
import { ErrorMessage, errorExamples, errorSchemas } from "./error-schemas.ts";
import { withExample } from "./example-of.ts";
import { examples, idExample, timestampExample } from "./examples.ts";
import { names, requestSchemas, responseSchemas, shared, uri } from "./named-schemas.ts";
import { tidied } from "./tidied.ts";

/** Returns what is said of a body's schema, if anything. */
export const descriptionOf = (schema: z.ZodType): string | undefined => said[names.get(schema) ?? ""];

/** Names the field that tells the choices of a union apart, and each choice by its value. */
function discriminate(schema: JsonSchema, zodSchema: unknown): void {
	if (!(zodSchema instanceof z.ZodDiscriminatedUnion)) return;
	const choices = schema.oneOf ?? schema.anyOf ?? [];
	delete schema.anyOf;
	schema.oneOf = choices;
	const propertyName = zodSchema.def.discriminator;
	const values = (zodSchema.options as z.ZodObject[]).map((option) => [
		...(option.shape[propertyName] as z.ZodLiteral<string>).values,
	]);
	schema.discriminator = {
		propertyName,
		mapping: Object.fromEntries(
			values.flatMap((ofChoice, index) =>
				ofChoice.map((value) => [value, uri(names.get(zodSchema.options[index] as z.ZodObject) ?? "")]),
			),
		),
	};
}

function convert(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, JsonSchema> {
	const registry = z.registry<{ id: string }>();
	for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
	const converted = z.toJSONSchema(registry, {
		uri,
		io,
		unrepresentable: "throw",
		override: ({ jsonSchema, zodSchema }) => discriminate(jsonSchema as JsonSchema, zodSchema),
	}).schemas as Record<string, JsonSchema & { $schema?: string; $id?: string }>;
	return Object.fromEntries(
		Object.entries(converted).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, tidied(schema, io)]),
	);
}

/** The objects of parameters, by names that no component has. */
const fields = new Map<z.ZodType, string>(
	(Object.values(api) as Operation[])
		.flatMap(({ params, query, headers }) => [params, query, headers])
		.filter((one) => one !== undefined)
		.map((one, index) => [one, `fields ${index}`]),
);
const said: Readonly<Record<string, string>> = {
	...descriptions,
	ErrorMessage: "A sentence for people. It may change, and names the field of a `validation_error`.",
};
const known: Readonly<Record<string, unknown>> = {
	...examples,
	...errorExamples,
	Id: idExample,
	Timestamp: timestampExample,
	ErrorMessage: errors.video_not_found.message,
};

export type ConvertedSchemas = {
	/** Every named schema, with an example, and in each of its fields the field's part of it. */
	readonly components: Readonly<Record<string, JsonSchema>>;
	/** Returns the fields of a path, of a query or of headers, as a caller writes them. */
	fieldsOf(object: z.ZodObject): JsonSchema;
};

/** Converts all schemas to JSON Schema 2020-12: requests as a caller writes them, responses as they are sent. */
export function convertSchemas(): ConvertedSchemas {
	const ofFields = Object.fromEntries([...fields].map(([schema, name]) => [name, schema]));
	const inputs = convert({ ...shared, ...requestSchemas, ...ofFields }, "input");
	const outputs = convert({ ...shared, ...responseSchemas, ErrorMessage, ...errorSchemas }, "output");
	const components = Object.entries({ ...inputs, ...outputs }).filter(([name]) => !(name in ofFields));
	const whole = (name: string, schema: JsonSchema): JsonSchema => ({
		...withExample(schema, known[name]),
		...(said[name] !== undefined && { description: said[name] }),
	});
	return {
		components: Object.fromEntries(components.map(([name, schema]) => [name, whole(name, schema)])),
		fieldsOf: (schema) => inputs[fields.get(schema) ?? ""] ?? {},
	};
}
