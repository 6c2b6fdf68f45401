const tags = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** Node accepts no longer headers. A longer value matches nothing, so the answer is the whole file. */
const longestHeader = 16_384;
const opaque = (tag: string): string => tag.replace(/^W\//, "");

/**
 * Returns whether If-None-Match names `etag` (weak comparison, RFC 9110, section 13.1.2), so that the answer is 304.
 */
export function matchesNone(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined || ifNoneMatch.length > longestHeader) return false;
	if (ifNoneMatch.trim() === "*") return true;
	return (ifNoneMatch.match(tags) ?? []).some((tag) => opaque(tag) === opaque(etag));
}

/**
 * Returns whether If-Range lets a Range stand (strong comparison, RFC 9110, section 13.1.5). A date never does, because
 * no answer has a Last-Modified.
 */
export function rangeStands(ifRange: string | undefined, etag: string): boolean {
	return ifRange === undefined || (ifRange.trim() === etag && !etag.startsWith("W/"));
}
