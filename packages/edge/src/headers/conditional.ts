const tags = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const longestHeader = 16_384;

/** Returns whether If-None-Match names `etag` (weak comparison, RFC 9110, section 13.1.2), so that the answer is 304. */
export function matchesNone(ifNoneMatch: string | null, etag: string): boolean {
	if (ifNoneMatch === null || ifNoneMatch.length > longestHeader) return false;
	if (ifNoneMatch.trim() === "*") return true;
	return [...ifNoneMatch.matchAll(tags)].some(([, tag]) => tag === etag);
}

/** A part of a file, both ends included. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Returns the range that a Range header asks for in a file of `size` bytes, its end cut to the size, as the service
 * reads it: several ranges, another unit and a malformed header mean the whole file, which is `null`. A range outside
 * the file is `unsatisfiable`.
 */
export function parseRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
	const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "");
	if (match === null) return null;
	const [, first = "", last = ""] = match;
	if (first === "") {
		if (last === "") return null;
		const suffix = Math.min(Number(last), size);
		return suffix === 0 ? "unsatisfiable" : { start: size - suffix, end: size - 1 };
	}
	const start = Number(first);
	if (last !== "" && Number(last) < start) return null;
	if (start >= size) return "unsatisfiable";
	return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
