import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chunks, collect, random, sha256, thenSilence, within } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

const mebibyte = 1024 * 1024;

export const wholenessCases: readonly Case<UploadStoreSubject>[] = [
	...[1, 5 * mebibyte - 1, 5 * mebibyte, 5 * mebibyte + 1, 10 * mebibyte, 17_000_000].map(
		(length): Case<UploadStoreSubject> => ({
			name: `gives an upload of ${length} bytes whole, from any server, once its last byte is acknowledged`,
			async run({ store, elsewhere }) {
				const id = randomUUID();
				const bytes = random(length);
				await store.create(id);
				assert.equal(await store.append(id, 0, chunks(bytes), { limit: length }), length);
				for (const server of [elsewhere, store]) {
					assert.equal(await server.size(id), length);
					const found = await server.read(id);
					assert.ok(found);
					assert.equal(found.size, length);
					assert.equal(sha256(await collect(found.bytes)), sha256(bytes));
				}
				assert.deepEqual(await Array.fromAsync(store.list()), [{ id, size: length }]);
			},
		}),
	),
	{
		name: "takes no byte into an upload that is whole, and answers its size when none come",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			const bytes = random(6_000_000);
			await store.create(id);
			await store.append(id, 0, chunks(bytes), { limit: bytes.length });
			await assert.rejects(
				elsewhere.append(id, bytes.length, chunks(Buffer.from("x")), { limit: bytes.length }),
				RangeError,
			);
			assert.equal(
				await elsewhere.append(id, bytes.length, chunks(Buffer.alloc(0)), { limit: bytes.length }),
				bytes.length,
			);
			const found = await store.read(id);
			assert.ok(found && (await collect(found.bytes)).equals(bytes));
		},
	},
	{
		name: "is whole with the last byte too when the append is aborted after it",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			const bytes = random(11_000_000);
			await store.create(id);
			const abort = new AbortController();
			const source = thenSilence(bytes);
			const append = store.append(id, 0, source.bytes, { limit: bytes.length, signal: abort.signal });
			void source.reached.then(() => abort.abort());
			assert.equal(await within(30_000, append), bytes.length);
			const found = await elsewhere.read(id);
			assert.ok(found && (await collect(found.bytes)).equals(bytes));
		},
	},
	{
		name: "frees what it holds when a read is left early",
		async run({ store }) {
			const id = randomUUID();
			const bytes = random(8_000_000);
			await store.create(id);
			await store.append(id, 0, chunks(bytes), { limit: bytes.length });
			for (let time = 0; time < 100; time++) {
				const found = await store.read(id);
				for await (const _ of found?.bytes ?? []) break;
			}
			await store.discard(id);
			assert.equal(await store.read(id), null);
		},
	},
];
