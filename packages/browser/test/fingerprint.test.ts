import { describe, expect, it } from "vitest";
import { fingerprint } from "../src/fingerprint.ts";

describe("a fingerprint", () => {
	it("is the same for the same bytes, and differs with an end, the size, the name, the time or the middle of a small file", async () => {
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
		const named = (name: string, lastModified: number) => fingerprint(new File([bytes], name, { lastModified }));
		const names = await Promise.all([named("a.mp4", 1), named("b.mp4", 1), named("a.mp4", 2), named("a.mp4", 1)]);
		expect(new Set([all[0], ...names]).size).toBe(4);
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
