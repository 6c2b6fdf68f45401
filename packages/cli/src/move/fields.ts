/** A JSON object whose fields nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an object's own field, and nothing for what is no object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
/** Returns the objects of a list, and none for what is no list. */
export const eachOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
/** Returns a text that isn't empty, or a number as a text. */
export const textOf = (value: unknown): string | undefined =>
	typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? String(value).trim() : undefined;
/** Returns a number, also one in a text. */
export function numberOf(value: unknown): number | undefined {
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
/** Returns the object of a list whose `size` is the largest. */
export const largest = (all: readonly Fields[], size: (one: Fields) => number | undefined): Fields | undefined =>
	all.toSorted((a, b) => (size(b) ?? 0) - (size(a) ?? 0))[0];
