import { printable } from "@reelmill/contracts/printable";

/** Returns a text that may stand on a line which a program has written: its own lines and tabs are escaped, too. */
export const oneLine = (text: string): string =>
	printable(text).replaceAll("\n", "\\u000a").replaceAll("\t", "\\u0009");

/** Formats a value as one text: null as a dash, an object as JSON. */
export function cell(value: unknown): string {
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
	return aligned(value)
		.map(([name, text]) => `${name}${text}`)
		.join("\n");
}

/** Does the same in pairs, so that a terminal can tell names from values. */
export function aligned(value: object): [name: string, text: string][] {
	const rows = flat(value, "");
	const width = Math.max(0, ...rows.map(([name]) => name.length));
	return rows.map(([name, text]) => [`${name.padEnd(width)}  `, text]);
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
