import { DomainConfig, domainConfigDefaults } from "@reelmill/contracts";
import * as z from "zod";
import { exactBytes } from "../../format/bytes.ts";

// The policy of the page lets no text become code.
z.config({ jitless: true });

type JsonSchema = {
	readonly type?: string;
	readonly description?: string;
	readonly enum?: readonly string[];
	readonly items?: JsonSchema;
	readonly anyOf?: readonly JsonSchema[];
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly maxItems?: number;
	readonly minItems?: number;
	readonly maxLength?: number;
};
export type Config = DomainConfig;
type Kind = "number" | "bytes" | "switch" | "choice" | "set" | "lines" | "text";

/** A field of the form, made from the contract's schema. */
export type ConfigField = {
	/** Its path in the configuration: `outputs.dash`. */
	readonly path: string;
	readonly kind: Kind;
	readonly description: string;
	/** What may be given, in words; empty if the field shows it by itself. */
	readonly bounds: string;
	/** The choices of a choice or a set. */
	readonly options: readonly string[];
	readonly isNullable: boolean;
	readonly fallback: unknown;
};

/** The webhook's address belongs to the view of webhooks, beside its secret. */
const elsewhere = ["webhook_url"];

/** The value at a path of the configuration. */
export const valueAt = (config: object, path: string): unknown =>
	path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], config);

const whole = new Intl.NumberFormat("en");
const schema = z.toJSONSchema(DomainConfig, { io: "input" }) as JsonSchema;

/** All fields, in the contract's order. */
export const configFields: readonly ConfigField[] = Object.entries(schema.properties ?? {})
	.filter(([name]) => !elsewhere.includes(name))
	.flatMap(([name, of]) =>
		of.properties === undefined
			? [fieldOf(name, of)]
			: Object.entries(of.properties).map(([inner, ofInner]) => fieldOf(`${name}.${inner}`, ofInner)),
	);

function fieldOf(path: string, given: JsonSchema): ConfigField {
	const present = given.anyOf?.find(({ type }) => type !== "null") ?? given;
	return {
		path,
		kind: path.endsWith("_bytes") ? "bytes" : kindOf(present),
		description: given.description ?? "",
		bounds: boundsOf(present, path.endsWith("_bytes") ? exactBytes : whole.format),
		options: present.enum ?? present.items?.enum ?? [],
		isNullable: given.anyOf !== undefined,
		fallback: valueAt(domainConfigDefaults, path),
	};
}

function kindOf({ type, enum: choices, items }: JsonSchema): Kind {
	if (type === "boolean") return "switch";
	if (type === "array") return items?.enum ? "set" : "lines";
	if (choices) return "choice";
	return type === "integer" || type === "number" ? "number" : "text";
}

function boundsOf(
	{ type, minimum, maximum, maxItems, maxLength }: JsonSchema,
	format: (value: number) => string,
): string {
	if (type === "integer" && minimum !== undefined && maximum !== undefined)
		return `${format(minimum)} to ${format(maximum)}`;
	if (maxItems !== undefined) return `at most ${maxItems}, one a line`;
	return maxLength === undefined ? "" : `at most ${maxLength} characters`;
}

/** What is wrong with a value by the contract; undefined if nothing is. */
export function faultOf(path: string, value: unknown): string | undefined {
	const [name = "", inner] = path.split(".");
	const shape = DomainConfig.shape as Record<string, z.ZodType>;
	const of = inner === undefined ? shape[name] : (shape[name] as z.ZodObject | undefined)?.shape[inner];
	const { error } = (of as z.ZodType | undefined)?.safeParse(value) ?? {};
	return error?.issues
		.map(({ message, path: at }) => (at.length > 0 ? `${at.join(".")}: ${message}` : message))
		.join("; ");
}
