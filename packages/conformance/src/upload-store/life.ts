import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chunks, collect, random, text, thenSilence, within } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

const refusedIds = [
	"",
	"..",
	"a",
	"0B9F9F3E-6AD1-4BB8-8C2E-6A3F1A2B3C4D",
	"0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d/",
	"../0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d",
	"0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d\n",
];

export const lifeCases: readonly Case<UploadStoreSubject>[] = [
	{
		name: "refuses every id that isn't a UUID in lower case, in every method",
		async run({ store }) {
			for (const id of refusedIds) {
				const refused = (promise: Promise<unknown>) => assert.rejects(promise, `accepted ${JSON.stringify(id)}`);
				await refused(store.create(id));
				await refused(store.size(id));
				await refused(store.append(id, 0, text("x"), { limit: 10 }));
				await refused(store.read(id));
				await refused(store.presign(id, { seconds: 60 }));
				await refused(store.discard(id));
			}
			assert.deepEqual(await Array.fromAsync(store.list()), []);
		},
	},
	{
		name: "answers null for an upload that isn't there",
		async run({ store }) {
			const id = randomUUID();
			assert.equal(await store.size(id), null);
			assert.equal(await store.read(id), null);
			assert.equal(await store.read(id, { start: 0, end: 1 }), null);
			await store.discard(id);
			assert.equal(await store.size(id), null);
		},
	},
	{
		name: "makes an empty upload, and leaves one that is there as it is",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			await store.create(id);
			assert.equal(await elsewhere.size(id), 0);
			await store.append(id, 0, text("abc"), { limit: 10 });
			await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? store : elsewhere).create(id)));
			assert.equal(await store.size(id), 3);
			await store.append(id, 3, text("defghij"), { limit: 10 });
			await Promise.all([store.create(id), elsewhere.create(id)]);
			const found = await elsewhere.read(id);
			assert.ok(found);
			assert.equal(String(await collect(found.bytes)), "abcdefghij");
		},
	},
	{
		name: "lists every upload with its size",
		async run({ store, elsewhere }) {
			const ids = Array.from({ length: 5 }, () => randomUUID()).sort();
			for (const [size, id] of ids.entries()) {
				await store.create(id);
				await store.append(id, 0, chunks(random(size)), { limit: 10 });
			}
			const found = await Array.fromAsync(elsewhere.list());
			assert.deepEqual(
				found.sort((one, other) => (one.id < other.id ? -1 : 1)),
				ids.map((id, size) => ({ id, size })),
			);
		},
	},
	{
		name: "removes an upload with all its bytes, twice too, and makes it anew from nothing",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			await store.create(id);
			await store.append(id, 0, text("abc"), { limit: 10 });
			await elsewhere.discard(id);
			await elsewhere.discard(id);
			assert.equal(await store.size(id), null);
			assert.equal(await store.read(id), null);
			assert.deepEqual(await Array.fromAsync(store.list()), []);
			await store.create(id);
			assert.equal(await store.size(id), 0);
			assert.equal(await store.append(id, 0, text("new"), { limit: 10 }), 3);
		},
	},
	{
		name: "brings no bytes back when an upload is discarded while an append runs",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			await store.create(id);
			const source = thenSilence(random(3_000_000));
			const abort = new AbortController();
			const append = store.append(id, 0, source.bytes, { limit: 5_000_000, signal: abort.signal }).then(
				() => {},
				() => {},
			);
			await source.reached;
			await elsewhere.discard(id);
			abort.abort();
			await within(30_000, append);
			assert.equal(await store.size(id), null);
			assert.deepEqual(await Array.fromAsync(store.list()), []);
		},
	},
	{
		name: "keeps a writer of a discarded upload out of the one made anew with its id",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			await store.create(id);
			const { promise: released, resolve: release } = Promise.withResolvers<void>();
			const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
			async function* late(): AsyncGenerator<Uint8Array> {
				yield Buffer.from("old");
				begin();
				await released;
				yield Buffer.alloc(2_000_000, "x");
			}
			const append = store.append(id, 0, late(), { limit: 5_000_000 }).then(
				() => {},
				() => {},
			);
			await begun;
			await elsewhere.discard(id);
			await elsewhere.create(id);
			release();
			await append;
			assert.equal(await elsewhere.size(id), 0);
			assert.equal(await elsewhere.append(id, 0, text("new"), { limit: 10 }), 3);
			assert.equal(await store.size(id), 3);
		},
	},
];
