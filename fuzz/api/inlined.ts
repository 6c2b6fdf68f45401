import type { JsonSchema } from "../../packages/http/test/support/json-schema.ts";

type Open = Omit<JsonSchema, "type"> & { type?: string | string[]; allOf?: JsonSchema[] };
/** At this depth a schema that contains itself ends, and any JSON value stands for the rest. */
const mostDepth = 8;

/**
 * Returns the schema with each reference replaced by its target, and each list of types by alternatives: the form from
 * which values are generated.
 */
export function inlined(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>, depth = 0): JsonSchema {
	if (depth > mostDepth) return {};
	const { $ref, allOf, ...own } = schema as Open;
	const parts = [...($ref === undefined ? [] : [named[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}]), ...(allOf ?? [])];
	const whole: Open = Object.assign({}, ...parts.map((part) => inlined(part, named, depth + 1)), own);
	const { type, ...rest } = whole;
	if (Array.isArray(type))
		return { anyOf: type.map((one) => inlined({ ...rest, type: one } as JsonSchema, named, depth + 1)) };
	return {
		...(whole as JsonSchema),
		...(whole.anyOf && { anyOf: whole.anyOf.map((one) => inlined(one, named, depth + 1)) }),
		...(whole.items && { items: inlined(whole.items, named, depth + 1) }),
		...(whole.properties && {
			properties: Object.fromEntries(
				Object.entries(whole.properties).map(([key, one]) => [key, inlined(one, named, depth + 1)]),
			),
		}),
	};
}
