import { describe, expect, it } from "vitest";
import { parseRange } from "../../src/headers/range.ts";

describe("parseRange", () => {
	it.each([
		["bytes=0-0", { start: 0, end: 0 }],
		["bytes=2-5", { start: 2, end: 5 }],
		["bytes=2-", { start: 2, end: 9 }],
		["bytes=2-99", { start: 2, end: 9 }],
		["bytes=-3", { start: 7, end: 9 }],
		["bytes=-99", { start: 0, end: 9 }],
		["BYTES= 9-9 ", { start: 9, end: 9 }],
	])("reads %s of ten bytes", (header, range) => expect(parseRange(header, 10)).toEqual(range));

	it.each(["bytes=10-", "bytes=10-12", "bytes=-0"])("finds nothing of ten bytes in %s", (header) =>
		expect(parseRange(header, 10)).toBe("unsatisfiable"),
	);

	it.each([
		undefined,
		"",
		"bytes=",
		"bytes=-",
		"bytes=5-2",
		"bytes=a-b",
		"bytes=0-1,4-5",
		"items=0-1",
		"bytes=1",
		"bytes=0x1-2",
	])("gives the whole for %s", (header) => expect(parseRange(header, 10)).toBeNull());

	it("finds no range in a file of nothing", () => {
		expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable");
		expect(parseRange("bytes=-1", 0)).toBe("unsatisfiable");
	});
});
