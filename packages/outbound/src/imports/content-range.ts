/** What a Content-Range says; `start` is null for an answer without bytes, `size` if the whole isn't known. */
export type ContentRange = { readonly start: number | null; readonly size: number | null };

/** Reads a Content-Range of bytes; returns null for anything else. */
export function rangeOf(header: string | null): ContentRange | null {
	const [, start, size] = /^bytes (?:(\d{1,15})-\d{1,15}|\*)\/(\d{1,15}|\*)$/.exec(header ?? "") ?? [];
	if (size === undefined) return null;
	return { start: start === undefined ? null : Number(start), size: size === "*" ? null : Number(size) };
}
