import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { UploadStore } from "@reelmill/engine/ports";
import { chunks, collect, random, sha256, text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

const limit = 50_000_000;
/** Lengths of appends, each with the size of its chunks. */
const partsAndChunks = [
	[1, 16],
	[65_536, 16],
	[1_048_576, 65_536],
	[5_999_999, 1_000_003],
	[10_999_002, 65_536],
	[300_000, 1000],
] as const;

/**
 * Checks that the offset that an append returned is stored at once, and that exactly `expected` is read back. Before
 * the upload is `whole`, nothing may be readable.
 */
async function holds(store: UploadStore, id: string, expected: Buffer, whole: "whole" | "in part"): Promise<void> {
	assert.equal(await store.size(id), expected.length);
	const found = await store.read(id);
	if (whole === "in part" && found === null) return;
	assert.ok(found);
	assert.equal(found.size, expected.length);
	assert.equal(sha256(await collect(found.bytes)), sha256(expected));
}

export const appendCases: readonly Case<UploadStoreSubject>[] = [
	{
		name: "appends in parts of any size, from any server, and keeps every byte in its place",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			const bytes = random(18_413_114);
			await store.create(id);
			let offset = 0;
			for (const [index, [length, chunkBytes]] of partsAndChunks.entries()) {
				const part = bytes.subarray(offset, offset + length);
				const answered = await (index % 2 ? elsewhere : store).append(id, offset, chunks(part, chunkBytes), {
					limit: bytes.length,
				});
				assert.equal(answered, offset + part.length);
				offset = answered;
				await holds(
					index % 2 ? store : elsewhere,
					id,
					bytes.subarray(0, offset),
					offset === bytes.length ? "whole" : "in part",
				);
			}
			assert.equal(offset, bytes.length);
		},
	},
	{
		name: "looks at no chunk again that it has released, so that its memory may be used for others",
		async run({ store }) {
			const id = randomUUID();
			const bytes = random(18_413_114);
			await store.create(id);
			async function* ownChunks() {
				for await (const chunk of chunks(bytes, 65_536)) yield new Uint8Array(chunk);
			}
			const release = (chunk: Uint8Array) => {
				chunk.fill(0xff);
				if (chunk.byteLength === chunk.buffer.byteLength)
					structuredClone(chunk.buffer, { transfer: [chunk.buffer as ArrayBuffer] });
			};
			assert.equal(await store.append(id, 0, ownChunks(), { limit: bytes.length, release }), bytes.length);
			await holds(store, id, bytes, "whole");
		},
	},
	{
		name: "answers the same offset when no bytes come",
		async run({ store }) {
			const id = randomUUID();
			await store.create(id);
			assert.equal(await store.append(id, 0, chunks(Buffer.alloc(0)), { limit }), 0);
			await store.append(id, 0, text("abc"), { limit });
			assert.equal(await store.append(id, 3, chunks(Buffer.alloc(0)), { limit }), 3);
			await holds(store, id, Buffer.from("abc"), "in part");
		},
	},
	{
		name: "refuses an offset other than the size with a RangeError and writes nothing: no gap, no second writing",
		async run({ store }) {
			const id = randomUUID();
			await store.create(id);
			await store.append(id, 0, text("abcdef"), { limit });
			for (const offset of [0, 5, 7, 1_000_000, -1]) {
				await assert.rejects(store.append(id, offset, text("XYZ"), { limit }), RangeError);
				await holds(store, id, Buffer.from("abcdef"), "in part");
			}
		},
	},
	{
		name: "refuses to append to an upload that isn't there with a RangeError, and makes none",
		async run({ store }) {
			const id = randomUUID();
			await assert.rejects(store.append(id, 0, text("x"), { limit }), RangeError);
			assert.equal(await store.size(id), null);
		},
	},
	{
		name: "refuses bytes past the limit with a RangeError, and keeps those that came before them",
		async run({ store }) {
			const id = randomUUID();
			await store.create(id);
			const bytes = random(30);
			await assert.rejects(store.append(id, 0, chunks(bytes, 10), { limit: 25 }), RangeError);
			const size = await store.size(id);
			assert.ok(size !== null && size >= 20 && size <= 25);
			await holds(store, id, bytes.subarray(0, size), size === 25 ? "whole" : "in part");
			assert.equal(await store.append(id, size, chunks(bytes.subarray(size, 25)), { limit: 25 }), 25);
			await assert.rejects(store.append(id, 25, chunks(bytes.subarray(25)), { limit: 25 }), RangeError);
			await holds(store, id, bytes.subarray(0, 25), "whole");
		},
	},
	{
		name: "answers exactly the bytes of a range",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			const bytes = random(2_200_000);
			await store.create(id);
			await store.append(id, 0, chunks(bytes), { limit: bytes.length });
			for (const [start, end] of [
				[0, 0],
				[1, 1_048_577],
				[2_199_999, 2_199_999],
				[2_000_000, 9_000_000],
			] as const) {
				const found = await elsewhere.read(id, { start, end });
				assert.ok(found);
				assert.equal(found.size, bytes.length);
				assert.ok((await collect(found.bytes)).equals(bytes.subarray(start, end + 1)));
			}
		},
	},
	{
		name: "takes twenty uploads at once",
		async run({ store, elsewhere }) {
			const uploads = Array.from({ length: 20 }, () => ({ id: randomUUID(), bytes: random(700_000) }));
			await Promise.all(
				uploads.map(async ({ id, bytes }, index) => {
					const at = index % 2 ? store : elsewhere;
					await at.create(id);
					await at.append(id, 0, chunks(bytes.subarray(0, 300_000)), { limit: bytes.length });
					await at.append(id, 300_000, chunks(bytes.subarray(300_000)), { limit: bytes.length });
				}),
			);
			for (const { id, bytes } of uploads) await holds(store, id, bytes, "whole");
		},
	},
];
