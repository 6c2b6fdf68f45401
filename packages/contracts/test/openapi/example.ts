import type { JsonSchema } from "../../src/openapi/document.ts";

/** Makes the example of a schema of its own one, or of those of its fields and of the components that it refers to. */
export function exampleOf(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): unknown {
	const { $ref, examples, const: only, properties, items, allOf } = schema;
	const of = (part: JsonSchema): unknown => exampleOf(part, schemas);
	if ($ref !== undefined) return of(schemas[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {});
	if (examples !== undefined) return examples[0];
	if (only !== undefined) return only;
	if (allOf !== undefined) return Object.assign({}, ...allOf.map(of));
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices !== undefined) return choices.map(of).find((value) => value !== undefined);
	if (items !== undefined) return [of(items)];
	const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, of(field)] as const);
	return properties && Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
