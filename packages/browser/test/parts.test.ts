import { describe, expect, it } from "vitest";
import { fingerprint } from "../src/fingerprint.ts";
import { createSpeedometer } from "../src/speedometer.ts";
import { createStore } from "../src/store.ts";

describe("a fingerprint", () => {
	it("is the same for the same bytes, and differs if an end, the size or the middle of a small file differs", async () => {
		const bytes = Buffer.alloc(900_000, "reelmill");
		const of = (content: Buffer) => fingerprint(new Blob([new Uint8Array(content)]));
		const changed = (at: number) => {
			const copy = Buffer.from(bytes);
			copy[at] = 0;
			return copy;
		};
		const all = await Promise.all([
			of(bytes),
			of(changed(0)),
			of(changed(899_999)),
			of(changed(450_000)),
			of(bytes.subarray(1)),
			of(Buffer.alloc(0)),
		]);
		expect(new Set(all).size).toBe(6);
		expect(await fingerprint(new File([bytes], "another name", { lastModified: 1 }))).toBe(all[0]);
	});

	it("reads no more than a mebibyte of a large file, from its begin to its end", async () => {
		const reads: [number, number][] = [];
		const size = 200 * 1024 * 1024;
		const large = {
			size,
			slice(start: number, end: number) {
				reads.push([start, Math.min(end, size) - start]);
				return { arrayBuffer: async () => new ArrayBuffer(8) };
			},
		};
		await fingerprint(large as never);
		expect(reads.reduce((sum, [, length]) => sum + length, 0)).toBeLessThanOrEqual(1024 * 1024);
		expect(reads[0]?.[0]).toBe(0);
		expect((reads.at(-1)?.[0] ?? 0) + (reads.at(-1)?.[1] ?? 0)).toBe(size);
	});
});

describe("the speed", () => {
	it("is measured over the last seconds, not from the beginning", () => {
		let time = 0;
		const speedometer = createSpeedometer(() => time);
		expect(speedometer.add(0)).toBeNull();
		time = 2000;
		expect(speedometer.add(2000)).toBe(1000);
		for (time = 4000; time <= 20_000; time += 2000) speedometer.add(2000 + (time - 2000) * 5);
		time = 22_000;
		expect(speedometer.add(2000 + 20_000 * 5)).toBe(5000);
	});

	it("starts anew when bytes were lost", () => {
		let time = 0;
		const speedometer = createSpeedometer(() => time);
		speedometer.add(0);
		time = 1000;
		speedometer.add(5000);
		time = 2000;
		expect(speedometer.add(1000)).toBeNull();
		time = 3000;
		expect(speedometer.add(3000)).toBe(2000);
	});
});

describe("a store", () => {
	it("tells changes to those who listen, and nothing to those who ended it", () => {
		const { store, set } = createStore({ a: 1, b: 2 });
		const told: unknown[] = [];
		const stop = store.subscribe((state) => told.push(state));
		const before = store.get();
		set({ a: 1 });
		expect(store.get()).toBe(before);
		set({ a: 3 });
		stop();
		stop();
		set({ a: 4 });
		expect(told).toEqual([{ a: 3, b: 2 }]);
	});
});
