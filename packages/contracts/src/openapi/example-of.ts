import type { JsonSchema } from "./document.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const choicesOf = ({ oneOf = [], anyOf = [], allOf = [] }: JsonSchema): JsonSchema[] => [...oneOf, ...anyOf, ...allOf];

/** Tells whether the example of a schema is made of those of its parts, or of a component. */
const isComposed = (schema: JsonSchema): boolean =>
	schema.$ref !== undefined ||
	schema.properties !== undefined ||
	[...choicesOf(schema), ...(schema.items ? [schema.items] : [])].some(isComposed);

/**
 * Gives an example to a schema: every field gets its own part of it, so that an object's is made of those of its
 * fields. A field that refers to a component has that one's, and a choice shows no more than its fields.
 */
export function addExample(schema: JsonSchema, example: unknown, isChoice = false): void {
	if (schema.const !== undefined) return;
	for (const [name, field] of Object.entries(schema.properties ?? {}))
		addExample(field, isObject(example) ? example[name] : undefined);
	if (schema.items !== undefined) addExample(schema.items, [example].flat().find(isObject), true);
	for (const choice of choicesOf(schema)) addExample(choice, example, true);
	const shown = example === undefined ? schema.enum?.[0] : example;
	if (!isChoice && shown !== undefined && !isComposed(schema)) schema.examples ??= [shown];
}
