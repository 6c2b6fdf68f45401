const tags = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** Node takes no longer headers. Such a one matches nothing, so that the whole file is the answer. */
const longestHeader = 16_384;
const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** Whether If-None-Match names `etag` (weak comparison, RFC 9110, section 13.1.2), so that 304 is the answer. */
export function matchesNone(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined || ifNoneMatch.length > longestHeader) return false;
	if (ifNoneMatch.trim() === "*") return true;
	return (ifNoneMatch.match(tags) ?? []).some((tag) => opaque(tag) === opaque(etag));
}

/**
 * Whether If-Range lets a Range stand (strong comparison, RFC 9110, section 13.1.5). A date never does: nothing here
 * has a Last-Modified.
 */
export function rangeStands(ifRange: string | undefined, etag: string): boolean {
	return ifRange === undefined || (ifRange.trim() === etag && !etag.startsWith("W/"));
}
