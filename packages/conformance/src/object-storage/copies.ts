import assert from "node:assert/strict";
import { chunks, collect, random, text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

const needs = "copy";

async function copied({ storage, elsewhere }: ObjectStorageSubject, from: string, to: string): Promise<Buffer | null> {
	assert.ok(storage.copy, "the storage copies");
	const answer = await storage.copy(from, to);
	const found = await elsewhere.get(to);
	assert.deepEqual(answer, found && { key: to, size: found.size });
	return found && (await collect(found.bytes));
}

/** For adapters that have `copy`. */
export const copyCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "copies an object byte for byte, an empty one too, at once for every server, and keeps the first",
		needs,
		async run(subject) {
			for (const bytes of [random(3_000_000), Buffer.alloc(0)]) {
				await subject.storage.put("a/b.mp4", chunks(bytes));
				assert.ok((await copied(subject, "a/b.mp4", "public/c/d.mp4"))?.equals(bytes));
				assert.ok((await collect((await subject.storage.get("a/b.mp4"))?.bytes ?? text("gone"))).equals(bytes));
			}
		},
	},
	{
		name: "copies an object of more than one part of any service",
		needs,
		async run(subject) {
			const bytes = Buffer.alloc(70 * 1024 * 1024);
			for (let at = 0; at < bytes.length; at += 4096) bytes.writeUInt32LE(at, at);
			await subject.storage.put("a", chunks(bytes));
			assert.ok((await copied(subject, "a", "b"))?.equals(bytes));
		},
	},
	{
		name: "replaces what was there by a copy, once and again",
		needs,
		async run(subject) {
			await subject.storage.put("old", text("old"));
			await subject.storage.put("new", text("longer than the old"));
			for (let time = 0; time < 2; time++)
				assert.equal(String(await copied(subject, "new", "old")), "longer than the old");
		},
	},
	{
		name: "answers null where there is nothing to copy, and leaves what was there",
		needs,
		async run({ storage, elsewhere }) {
			await storage.put("a/b", text("kept"));
			for (const from of ["nothing", "a", "a/b/c"]) assert.equal(await storage.copy?.(from, "a/b"), null);
			assert.equal(String(await collect((await elsewhere.get("a/b"))?.bytes ?? text(""))), "kept");
		},
	},
	{
		name: "lets a copy outlive the object that it was made of",
		needs,
		async run({ storage, elsewhere }) {
			await storage.put("a/b", text("bytes"));
			await storage.copy?.("a/b", "c/d");
			await storage.deletePrefix("a/");
			assert.equal(String(await collect((await elsewhere.get("c/d"))?.bytes ?? text(""))), "bytes");
			await elsewhere.deletePrefix("c/");
			assert.equal(await storage.head("c/d"), null);
		},
	},
	{
		name: "copies from and to no key that isn't a path of plain parts",
		needs,
		async run({ storage }) {
			await storage.put("a", text("x"));
			for (const key of ["", "/a", "b/", "../a", "b/../c", "a b", "a?b"]) {
				await assert.rejects(async () => storage.copy?.("a", key), TypeError);
				await assert.rejects(async () => storage.copy?.(key, "b"), TypeError);
			}
		},
	},
];
