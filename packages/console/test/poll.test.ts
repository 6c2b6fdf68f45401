import { expect, it } from "vitest";
import { pollMilliseconds } from "../src/views/upload/poll.ts";

it("asks what becomes of an upload more seldom the more rows there are, and no more once it is known", () => {
	expect([1, 2, 10, 500].map((rows) => pollMilliseconds({ state: "queued" }, rows))).toEqual([
		2000, 2000, 10_000, 30_000,
	]);
	expect(pollMilliseconds(undefined, 1)).toBe(2000);
	for (const state of ["available", "failed", "timeout", "cancelled", "expired"] as const)
		expect(pollMilliseconds({ state }, 1), state).toBeUndefined();
});
