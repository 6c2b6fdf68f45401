import { expect, it } from "vitest";
import { createSliceCache } from "./slice-cache.ts";

it("keeps what was used last, and nothing beyond its life", () => {
	const cache = createSliceCache(5, 2, 100);
	expect([0, 1, 0, 2].map((slice) => cache.use(slice, 0))).toEqual([false, false, true, false]);
	expect(cache.use(0, 99)).toBe(true);
	expect(cache.use(1, 99)).toBe(false);
	expect(cache.use(0, 100)).toBe(false);
	expect(cache.use(0, 150)).toBe(true);
});
