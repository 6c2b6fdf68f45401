import type { ByteRange } from "@reelmill/engine";

/**
 * What a Range header asks of `size` bytes (RFC 9110, section 14.1.2): the one range, its end cut to the size;
 * `unsatisfiable` for one that lies outside; null for the whole, which is also the answer to several ranges, to another
 * unit and to a header that is malformed.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
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
