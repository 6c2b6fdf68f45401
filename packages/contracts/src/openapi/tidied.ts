import type { JsonSchema } from "./document.ts";

type Direction = "input" | "output";
const mapped = (schemas: Record<string, JsonSchema>, io: Direction): Record<string, JsonSchema> =>
	Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidied(schema, io)]));

/**
 * Returns a schema of zod's without what zod adds for its own checks, and without what generators of other languages
 * can't read. An answer stays open: a field added to it must not break a generated client. Requests stay closed.
 */
export function tidied(schema: JsonSchema, io: Direction): JsonSchema {
	// What a component says of itself is not repeated beside a reference to it.
	if (schema.$ref !== undefined) {
		const { $ref, description, default: fallback } = schema;
		return {
			$ref,
			...(description !== undefined && { description }),
			...(fallback !== undefined && { default: fallback }),
		};
	}
	const { propertyNames: _names, ...whole } = schema as JsonSchema & { propertyNames?: unknown };
	const tidy: JsonSchema = { ...whole };
	if (tidy.minimum === Number.MIN_SAFE_INTEGER) delete tidy.minimum;
	if (tidy.maximum === Number.MAX_SAFE_INTEGER) delete tidy.maximum;
	if (tidy.format !== undefined) delete tidy.pattern;
	if (tidy.const !== undefined) tidy.type ??= typeof tidy.const;
	if (io === "output" && tidy.additionalProperties === false) delete tidy.additionalProperties;
	if (typeof tidy.additionalProperties === "object") tidy.additionalProperties = tidied(tidy.additionalProperties, io);
	if (tidy.properties !== undefined) tidy.properties = mapped(tidy.properties, io);
	if (tidy.items !== undefined) tidy.items = tidied(tidy.items, io);
	for (const kind of ["anyOf", "oneOf", "allOf"] as const) {
		const choices = tidy[kind];
		if (choices !== undefined) tidy[kind] = choices.map((choice) => tidied(choice, io));
	}
	return nullable(tidy);
}

/** Writes a plain value that may be null as a list of types, and describes it once. */
function nullable({ anyOf, ...rest }: JsonSchema): JsonSchema {
	const [one, other] = anyOf ?? [];
	if (anyOf === undefined) return rest;
	const isPlain = anyOf.length === 2 && other?.type === "null" && typeof one?.type === "string";
	if (!isPlain || one.enum !== undefined || one.properties !== undefined || one.items !== undefined)
		return { ...rest, anyOf };
	return { ...one, ...rest, type: [one.type as string, "null"] };
}
