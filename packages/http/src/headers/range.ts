import type { ByteRange } from "@reelmill/engine";

/**
 * Returns the range that a Range header asks for in a file of `size` bytes (RFC 9110, section 14.1.2), its end cut to
 * the size. Returns `unsatisfiable` for a range outside the file, and `null` for the whole file. Several ranges,
 * another unit and a malformed header mean the whole file as well.
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
