import assert from "node:assert/strict";
import type { ByteRange } from "@reelmill/engine/ports";
import { chunks, collect, random, text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

export const readCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "answers null for a key that isn't there, also where only longer keys are",
		async run({ storage }) {
			await storage.put("a/b/c", text("x"));
			for (const key of ["a", "a/b", "a/b/d", "b"]) {
				assert.equal(await storage.head(key), null);
				assert.equal(await storage.get(key), null);
				assert.equal(await storage.get(key, { start: 0, end: 1 }), null);
			}
		},
	},
	{
		name: "answers exactly the bytes of a range, both ends included, and the whole object's size with them",
		async run({ storage }) {
			const bytes = random(2_500_000);
			await storage.put("a", chunks(bytes));
			const last = bytes.length - 1;
			const ranges: ByteRange[] = [
				{ start: 0, end: 0 },
				{ start: 0, end: last },
				{ start: 1, end: 1_048_576 },
				{ start: 1_048_575, end: 2_097_153 },
				{ start: last, end: last },
				{ start: last - 9, end: last + 1000 },
				{ start: 5, end: Number.MAX_SAFE_INTEGER },
			];
			for (const range of ranges) {
				const found = await storage.get("a", range);
				assert.ok(found);
				assert.equal(found.size, bytes.length);
				assert.ok(
					(await collect(found.bytes)).equals(bytes.subarray(range.start, range.end + 1)),
					`${range.start}-${range.end}`,
				);
			}
			assert.equal((await storage.get("a"))?.size, bytes.length);
		},
	},
	{
		name: "refuses a range that starts past the end with a RangeError",
		async run({ storage }) {
			await storage.put("a", text("abc"));
			await storage.put("empty", text(""));
			await assert.rejects(storage.get("a", { start: 3, end: 5 }), RangeError);
			await assert.rejects(storage.get("empty", { start: 0, end: 0 }), RangeError);
		},
	},
	{
		name: "lets a reader leave early, many times, and read again",
		async run({ storage }) {
			const bytes = random(3_000_000);
			await storage.put("a", chunks(bytes));
			for (let time = 0; time < 200; time++) {
				const found = await storage.get("a");
				assert.ok(found);
				for await (const chunk of found.bytes) {
					assert.ok(chunk.length > 0);
					break;
				}
			}
			assert.ok((await collect((await storage.get("a"))?.bytes ?? chunks(Buffer.alloc(0)))).equals(bytes));
		},
	},
	{
		name: "frees an answer whose bytes nobody reads",
		async run({ storage }) {
			await storage.put("a", text("abc"));
			for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 20 }, () => storage.get("a")));
			assert.deepEqual(await storage.head("a"), { key: "a", size: 3 });
		},
	},
	...(["replaced", "deleted"] as const).map(
		(change): Case<ObjectStorageSubject> => ({
			name: `never yields a mixture when an object is ${change} while it is read`,
			async run({ storage, elsewhere }) {
				const old = Buffer.alloc(4_000_000, "a");
				await storage.put("a", chunks(old));
				const found = await storage.get("a");
				assert.ok(found);
				const parts: Uint8Array[] = [];
				try {
					for await (const part of found.bytes) {
						if (parts.length === 0)
							await (change === "replaced"
								? elsewhere.put("a", chunks(Buffer.alloc(5_000_000, "b")))
								: elsewhere.delete("a"));
						parts.push(part.slice());
					}
				} catch {
					return;
				}
				assert.ok(Buffer.concat(parts).equals(old));
			},
		}),
	),
	{
		name: "serves twenty readers at once",
		async run({ storage }) {
			const bytes = random(1_200_000);
			await storage.put("a", chunks(bytes));
			const read = async (start: number) => {
				const found = await storage.get("a", { start, end: start + 600_000 });
				return found !== null && (await collect(found.bytes)).equals(bytes.subarray(start, start + 600_001));
			};
			const results = await Promise.all(Array.from({ length: 20 }, (_, index) => read(index * 1000)));
			assert.deepEqual(results, Array(20).fill(true));
		},
	},
];
