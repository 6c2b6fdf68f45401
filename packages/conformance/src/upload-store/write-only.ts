import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chunks, random } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

/** The promises of an adapter of the UploadStore port that declares `download: false`. */
export const writeOnlyUploadStoreCases: readonly Case<UploadStoreSubject>[] = [
	{
		name: "says that it can't download, and rejects each read, of an upload that is whole and of one that never was",
		async run({ store, elsewhere }) {
			assert.equal(store.capabilities.download, false);
			const id = randomUUID();
			await store.create(id);
			await store.append(id, 0, chunks(random(100)), { limit: 100 });
			for (const read of [
				store.read(id),
				elsewhere.read(id),
				store.read(id, { start: 0, end: 9 }),
				store.read(randomUUID()),
			])
				await assert.rejects(read);
		},
	},
	{
		name: "takes uploads, tells how far they are and discards them all the same",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			await store.create(id);
			assert.equal(await store.append(id, 0, chunks(random(60)), { limit: 100 }), 60);
			assert.equal(await elsewhere.append(id, 60, chunks(random(40)), { limit: 100 }), 100);
			assert.equal(await store.size(id), 100);
			await store.discard(id);
			assert.equal(await elsewhere.size(id), null);
		},
	},
];
