import { describe, expect, it } from "vitest";
import { createHotObjects } from "../../src/serving/hot-objects.ts";

const mebibyte = 1024 * 1024;

/** Objects of one byte each repeated, whose reads are counted. */
function counting(size: number) {
	const reads: string[] = [];
	const read = (key: string) => async () => {
		reads.push(key);
		return (async function* () {
			for (let at = 0; at < size; at += 300_000) yield Buffer.alloc(Math.min(300_000, size - at), key);
		})();
	};
	return { reads, read };
}

async function whole(found: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of found) chunks.push(chunk);
	return Buffer.concat(chunks);
}

describe("hot objects", () => {
	it("are streamed at first, kept from the second time on, and the same bytes always", async () => {
		const { reads, read } = counting(mebibyte);
		const hot = createHotObjects({ maxBytes: 8 * mebibyte });
		const first = await hot.get("a", mebibyte, read("a"));
		expect(first.inMemory).toBeUndefined();
		const second = await hot.get("a", mebibyte, read("a"));
		expect(await hot.get("a", mebibyte, read("a"))).toBe(second);
		expect(second.inMemory).toHaveLength(mebibyte);
		expect(await whole(first)).toEqual(await whole(second));
		expect(reads).toEqual(["a", "a"]);
	});

	it("are at hand without a wait once they are kept, which counts as a hit", async () => {
		const { reads, read } = counting(1000);
		const hot = createHotObjects({ maxBytes: mebibyte });
		await hot.get("a", 1000, read("a"));
		expect(hot.peek("a")).toBeUndefined();
		const kept = await hot.get("a", 1000, read("a"));
		expect(hot.peek("a")).toBe(kept);
		expect(hot.peek("b")).toBeUndefined();
		expect(reads).toEqual(["a", "a"]);
		expect(hot.counts()).toEqual({ hits: 1, misses: 2, bytes: 2 * 1000 + 1024 });
	});

	it("share one read where many ask at once", async () => {
		const { reads, read } = counting(1000);
		const hot = createHotObjects({ maxBytes: mebibyte });
		await hot.get("a", 1000, read("a"));
		await Promise.all(Array.from({ length: 50 }, () => hot.get("a", 1000, read("a"))));
		expect(reads).toHaveLength(2);
	});

	it("hold no more bytes than they may: those asked for longest ago go", async () => {
		const { reads, read } = counting(mebibyte);
		const hot = createHotObjects({ maxBytes: 2 * mebibyte });
		for (const key of ["a", "b", "c"]) for (const _ of [1, 2]) await hot.get(key, mebibyte, read(key));
		reads.length = 0;
		for (const key of ["b", "c"]) await hot.get(key, mebibyte, read(key));
		expect(reads).toEqual([]);
		await hot.get("a", mebibyte, read("a"));
		expect(reads).toEqual(["a"]);
	});

	it("leave what is too large for memory a stream, however often it is asked for", async () => {
		const { reads, read } = counting(5 * mebibyte);
		const hot = createHotObjects({ maxBytes: 64 * mebibyte });
		for (const _ of [1, 2, 3]) expect((await hot.get("a", 5 * mebibyte, read("a"))).inMemory).toBeUndefined();
		expect(reads).toHaveLength(3);
	});

	it("forget a read that fails, and one that gave too few or too many bytes", async () => {
		const { read } = counting(1000);
		const hot = createHotObjects({ maxBytes: mebibyte });
		await hot.get("a", 1000, read("a"));
		await expect(
			hot.get("a", 1000, async () => {
				throw new Error("the disk is gone");
			}),
		).rejects.toThrow("the disk is gone");
		await expect(hot.get("a", 1001, read("a"))).rejects.toThrow("ended before its size");
		await expect(hot.get("a", 999, read("a"))).rejects.toThrow("longer than its size");
		expect(await whole(await hot.get("a", 1000, read("a")))).toEqual(Buffer.alloc(1000, "a"));
	});
});
