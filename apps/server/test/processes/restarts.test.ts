import { expect, it } from "vitest";
import { createRestarts } from "../../src/processes/restarts.ts";

it("waits twice as long after each failure, up to 10 s, and gives up hope after five", () => {
	const restarts = createRestarts();
	const waits = Array.from({ length: 4 }, () => restarts.ended(0));
	expect(waits).toEqual([100, 200, 400, 800]);
	expect(restarts.isHopeless()).toBe(false);
	expect(restarts.ended(9999)).toBe(1600);
	expect(restarts.isHopeless()).toBe(true);
	for (let times = 0; times < 3; times++) restarts.ended(0);
	expect(restarts.ended(0)).toBe(10_000);
	expect(restarts.ended(0)).toBe(10_000);
});

it("begins anew once a process has served for 10 s", () => {
	const restarts = createRestarts();
	for (let times = 0; times < 5; times++) restarts.ended(0);
	expect(restarts.ended(10_000)).toBe(100);
	expect(restarts.isHopeless()).toBe(false);
});
