import type { JsonSchema } from "./document.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the schema with an example: every field has its own part of it, so that an object's is made of those of its
 * fields. A field that refers to a component has that one's.
 */
export function withExample(schema: JsonSchema, example: unknown): JsonSchema {
	if (schema.$ref !== undefined || schema.const !== undefined) return schema;
	const inner = withInner(schema, example);
	const shown = example === undefined ? schema.enum?.[0] : example;
	return shown === undefined || isComposed(inner) ? inner : { ...inner, examples: inner.examples ?? [shown] };
}

/** Tells whether the example of a schema is made of those of its parts. */
const isComposed = ({ properties, items, oneOf, anyOf, allOf }: JsonSchema): boolean =>
	[items, ...(oneOf ?? []), ...(anyOf ?? []), ...(allOf ?? [])].some(
		(part) => part !== undefined && (part.$ref !== undefined || isComposed(part)),
	) || properties !== undefined;

function withInner(schema: JsonSchema, example: unknown): JsonSchema {
	const inner = { ...schema };
	if (schema.properties !== undefined && isObject(example))
		inner.properties = Object.fromEntries(
			Object.entries(schema.properties).map(([name, field]) => [name, withExample(field, example[name])]),
		);
	if (schema.items !== undefined && Array.isArray(example))
		inner.items = withInner(schema.items, example.find(isObject));
	for (const kind of ["anyOf", "oneOf", "allOf"] as const) {
		const choices = schema[kind];
		if (choices !== undefined)
			inner[kind] = choices.map((choice) => (choice.$ref === undefined ? withInner(choice, example) : choice));
	}
	return inner;
}
