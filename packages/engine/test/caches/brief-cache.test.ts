import { expect, it } from "vitest";
import { createBriefCache } from "../../src/caches/index.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

const twoSeconds = 2000;

it("knows nothing without a read, nor while the first read is under way", async () => {
	const cache = createBriefCache<string | null>({ clock: createFakeClock(), max: 10, milliseconds: twoSeconds });
	expect(cache.peek("a")).toBeUndefined();
	const read = cache.get("a", async () => null);
	expect(cache.peek("a")).toBeUndefined();
	await read;
	expect(cache.peek("a")).toBeNull();
});

it("knows an answer at once until it is as old as it may be, or forgotten", async () => {
	const clock = createFakeClock();
	const cache = createBriefCache<string>({ clock, max: 10, milliseconds: twoSeconds });
	await cache.get("a", async () => "first");
	await clock.advance(twoSeconds - 1);
	expect(cache.peek("a")).toBe("first");
	await clock.advance(2);
	expect(cache.peek("a")).toBeUndefined();
	await cache.get("a", async () => "second");
	cache.forget("a");
	expect(cache.peek("a")).toBeUndefined();
});

it("does not know what a read answered that was forgotten while it was under way", async () => {
	const cache = createBriefCache<string>({ clock: createFakeClock(), max: 10, milliseconds: twoSeconds });
	const read = cache.get("a", async () => "before the change");
	cache.forget("a");
	await read;
	expect(cache.peek("a")).toBeUndefined();
});

it("does not know a read that failed", async () => {
	const cache = createBriefCache<string>({ clock: createFakeClock(), max: 10, milliseconds: twoSeconds });
	await expect(cache.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
	expect(cache.peek("a")).toBeUndefined();
	expect(await cache.get("a", async () => "back")).toBe("back");
});
