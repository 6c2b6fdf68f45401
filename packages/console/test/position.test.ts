import { expect, it } from "vitest";
import { positionOf, secondsOf } from "../src/views/video/position.ts";

it.each([
	[0, "0:00"],
	[62.5, "1:02.5"],
	[3662.001, "1:01:02.001"],
	[59.9996, "1:00"],
])("writes %s s as %s, and reads it", (seconds, text) => {
	expect(positionOf(seconds)).toBe(text);
	expect(secondsOf(text)).toBeCloseTo(seconds, 2);
});

it("reads seconds alone, and nothing else", () => {
	expect(secondsOf(" 90.25 ")).toBe(90.25);
	for (const text of ["", "soon", "1:2:3:4", "-1", "1e3", "1:"]) expect(secondsOf(text)).toBeUndefined();
});
