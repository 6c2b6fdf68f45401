import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chunks, collect, random } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

const needs = "failing";
const sizes = [
	{ name: "some bytes", length: 300_000 },
	{ name: "the last bytes", length: 500_000 },
] as const;
const synced = 100_000;

export const failureCases: readonly Case<UploadStoreSubject>[] = sizes.map(({ name, length }) => ({
	name: `tells nobody ${name} of an append that couldn't be made durable, and takes them again`,
	needs,
	async run({ store, elsewhere, whileFailing }) {
		assert.ok(whileFailing);
		const id = randomUUID();
		const bytes = random(500_000);
		const limit = bytes.length;
		await store.create(id);
		await store.append(id, 0, chunks(bytes.subarray(0, synced)), { limit });
		await whileFailing(async () => {
			await assert.rejects(store.append(id, synced, chunks(bytes.subarray(synced, length)), { limit }), {
				name: "StorageError",
			});
		});
		for (const each of [elsewhere, store]) {
			assert.equal(await each.size(id), synced);
			assert.deepEqual(await Array.fromAsync(each.list()), [{ id, size: synced }]);
			const found = await each.read(id);
			assert.ok(found === null || (await collect(found.bytes)).equals(bytes.subarray(0, synced)));
		}
		assert.equal(await elsewhere.append(id, synced, chunks(bytes.subarray(synced)), { limit }), limit);
		const found = await store.read(id);
		assert.ok(found && (await collect(found.bytes)).equals(bytes));
	},
}));
