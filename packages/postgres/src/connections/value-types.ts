import type { PostgresType } from "postgres";
import { parse as parseArray } from "postgres-array";

type Scalar = {
	readonly type: number;
	readonly array: number;
	serialize(value: unknown): string;
	parse(text: string): unknown;
};

const asText = (value: unknown): string => String(value);
const scalars: readonly Scalar[] = [
	{
		type: 16,
		array: 1000,
		serialize: (value) => (value === true ? "t" : value === false ? "f" : String(value)),
		parse: (text) => text === "t",
	},
	{ type: 17, array: 1001, serialize: toBytea, parse: (text) => new Uint8Array(Buffer.from(text.slice(2), "hex")) },
	{ type: 20, array: 1016, serialize: asText, parse: Number },
	{ type: 21, array: 1005, serialize: asText, parse: Number },
	{ type: 23, array: 1007, serialize: asText, parse: Number },
	{ type: 25, array: 1009, serialize: asText, parse: asText },
	{ type: 701, array: 1022, serialize: asText, parse: Number },
	{ type: 1043, array: 1015, serialize: asText, parse: asText },
	{
		type: 1184,
		array: 1185,
		serialize: orReason((value) => (value instanceof Date ? value.toISOString() : String(value))),
		parse: (text) => new Date(text),
	},
	{ type: 2950, array: 2951, serialize: asText, parse: asText },
	{
		type: 3802,
		array: 3807,
		serialize: orReason((value) => JSON.stringify(value) ?? "undefined"),
		parse: (text) => JSON.parse(text),
	},
];

/**
 * How values are sent, by PostgreSQL's type numbers. Array types are listed because postgres.js's own look-up
 * (`fetch_types`) rejects unnoticed if the connection breaks at that moment, and reads a null in an array as the text
 * `NULL`.
 */
export const valueTypes: Record<string, PostgresType> = Object.fromEntries(
	scalars.flatMap(({ type, array, serialize, parse }) => [
		[`type${type}`, { to: type, from: [type], serialize, parse }],
		[
			`type${array}`,
			{
				to: array,
				from: [array],
				serialize: (value: unknown) => toArrayText(value, serialize),
				parse: (text: string) => parseArray(text, parse),
			},
		],
	]),
);

/**
 * A serializer that throws would leave postgres.js waiting for ever. A value that can't be serialized becomes text that
 * no type of this kind accepts, and that says why: the server then refuses the statement.
 */
function orReason(serialize: (value: unknown) => string): (value: unknown) => string {
	return (value) => {
		try {
			return serialize(value);
		} catch (error) {
			return `(${error instanceof Error ? error.message : String(error)})`;
		}
	};
}

function toBytea(value: unknown): string {
	if (!(value instanceof Uint8Array)) return "\\x(not a Uint8Array)";
	return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
}

function toArrayText(value: unknown, serialize: (value: unknown) => string): string {
	if (!Array.isArray(value)) return String(value);
	const elements = value.map((element) => {
		if (element === null || element === undefined) return "NULL";
		return `"${serialize(element).replace(/[\\"]/g, "\\$&")}"`;
	});
	return `{${elements.join(",")}}`;
}
