import { describe, expect, it } from "vitest";
import { matchesNone, rangeStands } from "../../src/headers/conditional.ts";

describe("matchesNone", () => {
	it.each(['"a"', 'W/"a"', '"x", "a"', '"x,y",W/"a"', "*", " * "])("finds the tag in %s", (header) =>
		expect(matchesNone(header, '"a"')).toBe(true),
	);
	it.each([undefined, "", '"b"', "a", '"A"', '"a'])("doesn't find it in %s", (header) =>
		expect(matchesNone(header, '"a"')).toBe(false),
	);
});

describe("rangeStands", () => {
	it.each([undefined, '"a"', ' "a" '])("lets the range stand for %s", (header) =>
		expect(rangeStands(header, '"a"')).toBe(true),
	);
	it.each(['W/"a"', '"b"', "Sat, 31 Jan 2026 12:00:00 GMT", "*", '"a", "b"'])("drops the range for %s", (header) =>
		expect(rangeStands(header, '"a"')).toBe(false),
	);
});
