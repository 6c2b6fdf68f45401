import fc from "fast-check";
import * as z from "zod";

/** As much of JSON Schema as zod writes of our request bodies and queries. */
export type JsonSchema = {
	type?: string | undefined;
	const?: unknown;
	enum?: unknown[];
	anyOf?: JsonSchema[];
	$ref?: string;
	$defs?: Record<string, JsonSchema>;
	properties?: Record<string, JsonSchema>;
	additionalProperties?: boolean | JsonSchema;
	required?: string[];
	minProperties?: number;
	items?: JsonSchema;
	minItems?: number;
	maxItems?: number;
	uniqueItems?: boolean;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	format?: string;
	minimum?: number;
	maximum?: number;
};
export type Path = readonly (string | number)[];

export const jsonSchemaOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: "input" }) as JsonSchema;

/**
 * Values that match the schema; strings that should be ids are often one of `ids`, so that what is asked for is
 * sometimes there. `minimal`: only what is required, and of several values the first.
 */
export function matching(
	schema: JsonSchema,
	{ ids = [], minimal = false }: { ids?: readonly string[]; minimal?: boolean } = {},
): fc.Arbitrary<unknown> {
	const options = { ids, minimal };
	if (schema.const !== undefined) return fc.constant(schema.const);
	if (schema.enum) return fc.constantFrom(...(minimal ? schema.enum.slice(0, 1) : schema.enum));
	if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => matching(one, options)));
	switch (schema.type) {
		case "null":
			return fc.constant(null);
		case "boolean":
			return fc.boolean();
		case "integer":
			return fc.integer({ min: Math.max(schema.minimum ?? -1e9, -1e9), max: Math.min(schema.maximum ?? 1e9, 1e9) });
		case "number":
			return fc
				.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
				.map((value) => (Object.is(value, -0) ? 0 : value));
		case "string":
			return text(schema, ids);
		case "array":
			return list(schema, options);
		case "object":
			return object(schema, options);
		default:
			return fc.oneof(fc.jsonValue({ maxDepth: 3 }), wild(20));
	}
}

/** What programs stumble over: halves of characters, invisible ones, and what some language reads as its own. */
const stumblingBlocks = [
	"\ud800",
	"\udfff",
	"\u0000",
	"\u202e",
	"\ufeff",
	"\u200d",
	"\n",
	"\u007f",
	"é",
	"e\u0301",
	"😀",
	"'",
	'"',
	"\\",
	"%",
	"${",
	"{{",
	"<",
	";",
	"--",
	"../",
	",",
];
const wild = (maxLength: number) =>
	fc
		.array(fc.constantFrom(...stumblingBlocks), { minLength: 1, maxLength: 3 })
		.map((parts) => parts.join("").slice(0, maxLength));

function text(
	{ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema,
	ids: readonly string[],
): fc.Arbitrary<string> {
	const fitting = ids.filter((id) => id.length >= minLength && id.length <= maxLength);
	const known = fitting.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...fitting) }];
	if (format === "uuid") return fc.oneof({ weight: 1, arbitrary: fc.uuid({ version: 4 }) }, ...known);
	const plain =
		pattern === undefined
			? fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) })
			: fc.stringMatching(new RegExp(pattern), { maxLength });
	const open = !pattern?.endsWith("$");
	const odd = fc.tuple(plain, wild(maxLength)).map(([start, end]) => start.slice(0, maxLength - end.length) + end);
	const useful = pattern === undefined && maxLength >= 9 ? [{ weight: 3, arbitrary: fc.constant("video/mp4") }] : [];
	return fc.oneof({ weight: 3, arbitrary: plain }, { weight: open ? 2 : 0, arbitrary: odd }, ...useful, ...known);
}

function list(
	{ items = {}, minItems = 0, maxItems = 5, uniqueItems }: JsonSchema,
	options: { ids: readonly string[]; minimal: boolean },
): fc.Arbitrary<unknown[]> {
	const size = { minLength: minItems, maxLength: options.minimal ? minItems : Math.min(maxItems, minItems + 5) };
	return uniqueItems ? fc.uniqueArray(matching(items, options), size) : fc.array(matching(items, options), size);
}

function object(
	{ properties = {}, required = [], minProperties = 0 }: JsonSchema,
	options: { ids: readonly string[]; minimal: boolean },
): fc.Arbitrary<object> {
	const fields = Object.fromEntries(
		Object.entries(properties ?? {}).map(([key, one]) => [key, matching(one, options)]),
	);
	const optional = Object.keys(fields).filter((key) => !required.includes(key));
	const least = optional.slice(0, Math.max(0, minProperties - required.length));
	if (options.minimal)
		return fc.record(
			Object.fromEntries([...required, ...least].map((key) => [key, fields[key] as fc.Arbitrary<unknown>])),
		);
	const filled = fc.record(fields, { requiredKeys: required });
	return minProperties > 0 ? filled.filter((value) => Object.keys(value).length >= minProperties) : filled;
}

/**
 * Values on both sides of every bound in the schema, of other types, and of text that no column holds, each with its
 * place in the whole.
 */
export function faultsOf(schema: JsonSchema, path: Path = []): { path: Path; value: unknown }[] {
	const at = (...values: unknown[]) => values.map((value) => ({ path, value }));
	const others = at(null, true, -1, 1.5, "x", [], {});
	const { minLength = 0, maxLength = 255, minimum = 0, maximum = 2 ** 31 - 1, minItems = 0, maxItems = 5 } = schema;
	switch (schema.type) {
		case "integer":
		case "number":
			return [...others, ...at(minimum - 1, minimum, maximum, maximum + 1, 2 ** 53 - 1, 2 ** 63, 1e308, "1")];
		case "string": {
			const [start = ""] =
				schema.pattern === undefined
					? [""]
					: fc.sample(fc.stringMatching(new RegExp(schema.pattern)), { numRuns: 1, seed: 1 });
			const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= start.length);
			const odd = [
				"\ud800",
				"\udc00a",
				"\u0000",
				"\ufeff",
				"\u202e",
				"😀".repeat(Math.ceil(maxLength / 2)),
				"x".repeat(5000),
			];
			return [
				...others,
				...at(...lengths.map((length) => start.padEnd(length, "é")), ...odd.map((end) => start + end)),
			];
		}
		case "array": {
			const sizes = [minItems - 1, maxItems, maxItems + 1].filter((size) => size >= 0);
			return [
				...others,
				...at(...sizes.map((size) => Array.from({ length: size }, (_, index) => `item ${index}`))),
				...within(schema.items ?? {}, path),
			];
		}
		case "object":
			return [
				...others,
				...at({ "\ud800": 1 }, { a: "\udfff" }),
				...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => faultsOf(one, [...path, key])),
			];
		default:
			return [...others, ...(schema.anyOf ?? []).flatMap((one) => faultsOf(one, path))];
	}
}

/** The faults of an array's items, each as the array's only item. */
const within = (items: JsonSchema, path: Path) =>
	faultsOf(items, []).map((fault) => ({ path, value: [replacedAt(null, fault.path, fault.value)] }));

/** A copy of `value` with `replacement` at `path`, as far as the path leads; undefined takes the field away. */
export function replacedAt(value: unknown, path: Path, replacement: unknown): unknown {
	const [key, ...rest] = path;
	if (key === undefined) return replacement;
	if (Array.isArray(value))
		return value.map((item, index) => (index === key ? replacedAt(item, rest, replacement) : item));
	if (typeof value !== "object" || value === null) return replacement;
	const copy: Record<string, unknown> = { ...value };
	Object.defineProperty(copy, key, {
		value: replacedAt(copy[key], rest, replacement),
		enumerable: true,
		configurable: true,
		writable: true,
	});
	return copy;
}
