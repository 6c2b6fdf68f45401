import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { UploadStore } from "@reelmill/engine/ports";
import { chunks, collect, random, thenSilence, thenThrow, within } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

const limit = 50_000_000;

/** Every way in which an append ends early, after all of `bytes` have come. */
const interruptions: readonly {
	readonly name: string;
	append(store: UploadStore, id: string, offset: number, bytes: Buffer, limit: number): Promise<number>;
}[] = [
	{
		name: "whose bytes throw",
		append: (store, id, offset, bytes, limit) => store.append(id, offset, thenThrow(bytes), { limit }),
	},
	{
		name: "that is aborted while its bytes hang",
		async append(store, id, offset, bytes, limit) {
			const abort = new AbortController();
			const source = thenSilence(bytes);
			const append = store.append(id, offset, source.bytes, { limit, signal: abort.signal });
			void source.reached.then(() => abort.abort());
			return within(30_000, append);
		},
	},
];

export const interruptionCases: readonly Case<UploadStoreSubject>[] = [
	...interruptions.flatMap(({ name, append }): Case<UploadStoreSubject>[] =>
		[10, 1_048_576, 3_333_333, 12_345_678].map((length) => ({
			name: `keeps ${length} bytes that came of an append ${name}, and goes on from there`,
			async run({ store, elsewhere }) {
				const id = randomUUID();
				const bytes = random(length + 100_000);
				await store.create(id);
				const limit = bytes.length;
				await store.append(id, 0, chunks(bytes.subarray(0, 5)), { limit });
				const reached = await append(store, id, 5, bytes.subarray(5, length), limit);
				assert.equal(reached, length);
				assert.equal(await elsewhere.size(id), length);
				assert.equal(await elsewhere.append(id, reached, chunks(bytes.subarray(reached)), { limit }), bytes.length);
				const found = await elsewhere.read(id);
				assert.ok(found && (await collect(found.bytes)).equals(bytes));
			},
		})),
	),
	{
		name: "answers the offset as it was when it is aborted before it began",
		async run({ store }) {
			const id = randomUUID();
			await store.create(id);
			await store.append(id, 0, chunks(random(100)), { limit });
			const reached = await store.append(id, 100, chunks(random(100)), { limit, signal: AbortSignal.abort() });
			assert.equal(await store.size(id), reached);
			assert.ok(reached === 100 || reached === 200);
		},
	},
	{
		name: "never shows a size below an offset that it answered, while the next append runs",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			await store.create(id);
			let answered = 0;
			for (let time = 0; time < 20; time++) {
				const append = store.append(id, answered, chunks(random(100_000), 9000), { limit });
				const seen = await elsewhere.size(id);
				assert.ok(seen !== null && seen >= answered);
				answered = await append;
			}
			assert.equal(await elsewhere.size(id), answered);
		},
	},
];
