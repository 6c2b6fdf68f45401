import assert from "node:assert/strict";
import { chunks, random, text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

export const listCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "lists exactly what is under a prefix, in order of keys, with sizes",
		async run({ storage, elsewhere }) {
			const keys = ["v/b/c", "v/a-b/c", "v/a.b/c", "v/a/z", "v/a/b/c", "v/aa", "v/B", "w/a", "vv/a"];
			for (const [index, key] of keys.entries()) await storage.put(key, chunks(random(index)));
			const found = await Array.fromAsync(elsewhere.list("v/"));
			assert.deepEqual(
				found,
				keys
					.map((key, size) => ({ key, size }))
					.filter(({ key }) => key.startsWith("v/"))
					.sort((one, other) => (one.key < other.key ? -1 : 1)),
			);
			assert.deepEqual(
				(await Array.fromAsync(storage.list("v/a/"))).map(({ key }) => key),
				["v/a/b/c", "v/a/z"],
			);
		},
	},
	{
		name: "lists nothing under a prefix of nothing, or one that is itself an object's key",
		async run({ storage }) {
			await storage.put("a/b", text("x"));
			assert.deepEqual(await Array.fromAsync(storage.list("nothing/")), []);
			assert.deepEqual(await Array.fromAsync(storage.list("a/b/")), []);
		},
	},
	{
		name: "lists more objects than one page of any service holds",
		async run({ storage }) {
			const keys = Array.from({ length: 1100 }, (_, index) => `many/${String(index).padStart(4, "0")}`);
			for (let at = 0; at < keys.length; at += 50)
				await Promise.all(keys.slice(at, at + 50).map((key) => storage.put(key, text("x"))));
			assert.deepEqual(
				(await Array.fromAsync(storage.list("many/"))).map(({ key }) => key),
				keys,
			);
			await storage.deletePrefix("many/");
			assert.deepEqual(await Array.fromAsync(storage.list("many/")), []);
		},
	},
	{
		name: "deletes all under a prefix and nothing else, twice and of nothing",
		async run({ storage, elsewhere }) {
			for (const key of ["v/1/a", "v/1/b/c", "v/10/a", "v/1-a", "w"]) await storage.put(key, text("x"));
			await elsewhere.deletePrefix("v/1/");
			await elsewhere.deletePrefix("v/1/");
			await storage.deletePrefix("nothing/");
			assert.deepEqual(
				(await Array.fromAsync(storage.list("v/"))).map(({ key }) => key),
				["v/1-a", "v/10/a"],
			);
			assert.ok(await storage.head("w"));
			await storage.put("v/1/a", text("again"));
			assert.ok(await elsewhere.head("v/1/a"));
		},
	},
	{
		name: "keeps a put that runs while the prefix beside it is deleted",
		async run({ storage, elsewhere }) {
			for (let round = 0; round < 20; round++) {
				await storage.put("p/old/a", text("x"));
				await Promise.all([
					storage.put("p/new", text("kept")),
					elsewhere.deletePrefix("p/old/"),
					storage.put("q/a", text("kept")),
					elsewhere.delete("q/b"),
				]);
				assert.deepEqual(
					(await Array.fromAsync(storage.list("p/"))).map(({ key }) => key),
					["p/new"],
				);
				assert.ok(await storage.head("q/a"));
				await Promise.all([storage.delete("p/new"), storage.delete("q/a")]);
			}
		},
	},
];
