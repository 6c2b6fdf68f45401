import assert from "node:assert/strict";
import type { ObjectStorage } from "@reelmill/engine/ports";
import { chunks, collect, random, sha256, text, thenSilence, thenThrow, within } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

const read = async (storage: ObjectStorage, key: string): Promise<Buffer | null> => {
	const found = await storage.get(key);
	return found && collect(found.bytes);
};
const keysUnder = async (storage: ObjectStorage, prefix: string): Promise<string[]> =>
	(await Array.fromAsync(storage.list(prefix))).map(({ key }) => key);

/** Every way in which a put ends early. */
const interruptions: readonly {
	readonly name: string;
	put(storage: ObjectStorage, key: string, bytes: Buffer): Promise<unknown>;
}[] = [
	{ name: "whose bytes throw", put: (storage, key, bytes) => storage.put(key, thenThrow(bytes)) },
	{ name: "whose bytes throw before the first", put: (storage, key) => storage.put(key, thenThrow(Buffer.alloc(0))) },
	{
		name: "that was aborted before it began",
		put: (storage, key, bytes) => storage.put(key, chunks(bytes), { signal: AbortSignal.abort() }),
	},
	{
		name: "that is aborted while its bytes hang",
		async put(storage, key, bytes) {
			const abort = new AbortController();
			const source = thenSilence(bytes);
			const put = storage.put(key, source.bytes, { signal: abort.signal });
			void source.reached.then(() => abort.abort());
			return within(30_000, put);
		},
	},
];

export const writeCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "answers the size of what it stored, and shows it to every server at once",
		async run({ storage, elsewhere }) {
			const bytes = random(5 * 1024 * 1024 + 17);
			assert.deepEqual(await storage.put("a/large", chunks(bytes, 100_003)), { key: "a/large", size: bytes.length });
			assert.deepEqual(await elsewhere.head("a/large"), { key: "a/large", size: bytes.length });
			assert.equal(sha256((await read(elsewhere, "a/large")) as Buffer), sha256(bytes));
		},
	},
	{
		name: "stores objects of no bytes, and of many tiny and empty chunks",
		async run({ storage }) {
			assert.deepEqual(await storage.put("empty", chunks(Buffer.alloc(0))), { key: "empty", size: 0 });
			assert.equal((await read(storage, "empty"))?.length, 0);
			const bytes = random(3000);
			async function* tiny(): AsyncGenerator<Uint8Array> {
				for await (const chunk of chunks(bytes, 7)) {
					yield chunk;
					yield new Uint8Array(0);
				}
			}
			assert.equal((await storage.put("tiny", tiny())).size, 3000);
			assert.deepEqual(await read(storage, "tiny"), bytes);
		},
	},
	{
		name: "replaces what was there",
		async run({ storage, elsewhere }) {
			await storage.put("a/b", text("a long first version"));
			await storage.put("a/b", text("second"));
			assert.equal(String(await read(elsewhere, "a/b")), "second");
			assert.deepEqual(await elsewhere.head("a/b"), { key: "a/b", size: 6 });
		},
	},
	...interruptions.map(
		({ name, put }): Case<ObjectStorageSubject> => ({
			name: `leaves nothing of a put ${name}, and keeps what was there`,
			async run({ storage, elsewhere }) {
				const bytes = random(1_500_000);
				await assert.rejects(put(storage, "a/new", bytes));
				assert.equal(await elsewhere.head("a/new"), null);
				assert.equal(await elsewhere.get("a/new"), null);
				await storage.put("a/old", text("old"));
				await assert.rejects(put(storage, "a/old", bytes));
				assert.equal(String(await read(elsewhere, "a/old")), "old");
				assert.deepEqual(await keysUnder(elsewhere, "a/"), ["a/old"]);
			},
		}),
	),
	{
		name: "shows nothing of a put before it is whole",
		async run({ storage, elsewhere }) {
			const abort = new AbortController();
			const source = thenSilence(random(1_500_000));
			const put = storage.put("a/b", source.bytes, { signal: abort.signal });
			await source.reached;
			assert.equal(await elsewhere.head("a/b"), null);
			assert.deepEqual(await keysUnder(elsewhere, "a/"), []);
			abort.abort();
			await assert.rejects(put);
		},
	},
	{
		name: "lets one of twenty puts made at once win whole",
		async run({ storage, elsewhere }) {
			// The last one is the shortest: an adapter that writes in place leaves the end of a longer one behind it.
			const versions = Array.from({ length: 20 }, (_, index) => random(250_000 - 2500 * index));
			await Promise.all(
				versions.map((bytes, index) => (index % 2 ? storage : elsewhere).put("a/b", chunks(bytes, 10_000))),
			);
			const found = await read(storage, "a/b");
			assert.ok(versions.some((bytes) => found?.equals(bytes)));
			assert.equal((await storage.head("a/b"))?.size, found?.length);
		},
	},
	{
		name: "deletes, twice and of nothing",
		async run({ storage, elsewhere }) {
			await storage.put("a/b", text("x"));
			await elsewhere.delete("a/b");
			assert.equal(await storage.head("a/b"), null);
			await storage.delete("a/b");
			await storage.delete("never/was");
			await storage.put("a/b", text("again"));
			assert.equal(String(await read(storage, "a/b")), "again");
		},
	},
];
