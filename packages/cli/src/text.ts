import { printable } from "@reelmill/contracts/printable";

/** Returns a text that may stand on a line which a program has written: its own lines and tabs are escaped, too. */
export const oneLine = (text: string): string =>
	printable(text).replaceAll("\n", "\\u000a").replaceAll("\t", "\\u0009");

/** Formats a value for a cell: null as a dash, an object as JSON. */
function cell(value: unknown): string {
	if (value === null || value === undefined || value === "") return "-";
	if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
		return value.length === 0 ? "-" : oneLine(value.join(", "));
	return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
}

/**
 * Formats an object as aligned lines `name  value`. Fields of an inner object have their path as name; each object of a
 * list has a line of its own.
 */
export function fields(value: object): string {
	const rows = flat(value, "");
	const width = Math.max(0, ...rows.map(([name]) => name.length));
	return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

const listed = (item: object): string =>
	Object.entries(item)
		.map(([name, value]) => `${name} ${cell(value)}`)
		.join(", ");

function flat(value: object, prefix: string): [string, string][] {
	return Object.entries(value).flatMap(([name, inner]) => {
		if (typeof inner !== "object" || inner === null) return [[`${prefix}${name}`, cell(inner)]];
		if (!Array.isArray(inner)) return flat(inner, `${prefix}${name}.`);
		const areObjects = inner.length > 0 && inner.every((item) => typeof item === "object" && item !== null);
		return (areObjects ? inner.map(listed) : [cell(inner)]).map((text): [string, string] => [`${prefix}${name}`, text]);
	});
}

export type Columns<T> = readonly (readonly [title: string, of: (row: T) => unknown])[];

/** Formats rows as aligned columns. It widens `widths`, so that later rows align with earlier ones. */
export function tableRows<T>(rows: readonly T[], columns: Columns<T>, widths: number[]): string[] {
	const texts = rows.map((row) => columns.map(([, of]) => cell(of(row))));
	for (const [index, [title]] of columns.entries())
		widths[index] = Math.max(widths[index] ?? title.length, ...texts.map((text) => text[index]?.length ?? 0));
	return texts.map((text) => line(text, widths));
}

export const line = (texts: readonly string[], widths: readonly number[]): string =>
	texts
		.map((text, index) => text.padEnd(widths[index] ?? 0))
		.join("  ")
		.trimEnd();

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Formats bytes in the largest unit that gives at least 1, for example `1.5 MiB`. */
export function bytes(count: number): string {
	const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, count)) / 10)));
	return power === 0 ? `${count} bytes` : `${(count / 1024 ** power).toFixed(1)} ${units[power]}`;
}

/** Formats a duration, for example `7 s` or `3 min 20 s`. */
export function duration(seconds: number): string {
	const whole = Math.ceil(seconds);
	return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
