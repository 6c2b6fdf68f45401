import { exactBytes, readBytes } from "../../format/bytes.ts";
import { type Config, type ConfigField, configFields, valueAt } from "./config-fields.ts";

/** What the form holds: texts as they are typed, by the paths of their fields. A dot would be a path to the form. */
export type Draft = Readonly<Record<string, unknown>>;
export const keyOf = ({ path }: Pick<ConfigField, "path">): string => path.replace(".", "/");

export const draftOf = (config: Config): Record<string, unknown> =>
	Object.fromEntries(configFields.map((field) => [keyOf(field), written(field, valueAt(config, field.path))]));

/** The value as its field shows it. */
function written({ kind }: ConfigField, value: unknown): unknown {
	if (kind === "bytes") return exactBytes(Number(value));
	if (kind === "number" || kind === "text") return value === null || value === undefined ? "" : String(value);
	return kind === "lines" ? (value as string[]).join("\n") : value;
}

/** The value that the field's text means. A text that is no number stays one, and the contract refuses it. */
export function meant({ kind, isNullable }: ConfigField, value: unknown): unknown {
	if (kind === "bytes") return readBytes(String(value)) ?? value;
	if (kind === "number") return /^\d+$/.test(String(value).trim()) ? Number(value) : value;
	if (kind === "text") return value === "" && isNullable ? null : value;
	if (kind !== "lines") return value;
	return String(value)
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "");
}

export type Change = { readonly field: ConfigField; readonly before: unknown; readonly after: unknown };

/** The fields whose value differs from that of `base`. */
export const changesOf = (base: Config, draft: Draft): Change[] =>
	configFields
		.map((field) => ({ field, before: valueAt(base, field.path), after: meant(field, draft[keyOf(field)]) }))
		.filter(({ before, after }) => JSON.stringify(sorted(before)) !== JSON.stringify(sorted(after)));

/** The merge patch that makes these changes. */
export function patchOf(changes: readonly Change[]): Record<string, unknown> {
	const patch: Record<string, unknown> = {};
	for (const { field, after } of changes) {
		const [name = "", inner] = field.path.split(".");
		patch[name] = inner === undefined ? after : { ...(patch[name] as object | undefined), [inner]: after };
	}
	return patch;
}

/** A field's value in words. */
export function inWords({ kind }: Pick<ConfigField, "kind">, value: unknown): string {
	if (kind === "bytes" && typeof value === "number") return exactBytes(value);
	if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "none";
	if (typeof value === "boolean") return value ? "on" : "off";
	return Array.isArray(value) ? value.join(", ") : String(value);
}

const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value);
