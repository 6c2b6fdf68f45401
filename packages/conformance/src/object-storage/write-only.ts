import assert from "node:assert/strict";
import { text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

/** The promises of an adapter of the ObjectStorage port that declares `download: false`. */
export const writeOnlyObjectStorageCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "says that it can't download, and rejects each get, of what is there and of what isn't",
		async run({ storage, elsewhere }) {
			assert.equal(storage.capabilities.download, false);
			await storage.put("a/b", text("abc"));
			for (const get of [
				storage.get("a/b"),
				elsewhere.get("a/b"),
				storage.get("a/b", { start: 0, end: 1 }),
				storage.get("not/there"),
			])
				await assert.rejects(get);
			assert.equal(storage.open, undefined);
		},
	},
	{
		name: "stores, tells sizes, lists and deletes all the same",
		async run({ storage, elsewhere }) {
			assert.deepEqual(await storage.put("a/b", text("abc")), { key: "a/b", size: 3 });
			assert.deepEqual(await elsewhere.head("a/b"), { key: "a/b", size: 3 });
			assert.deepEqual(await Array.fromAsync(elsewhere.list("a/")), [{ key: "a/b", size: 3 }]);
			await elsewhere.deletePrefix("a/");
			assert.equal(await storage.head("a/b"), null);
		},
	},
];
