import assert from "node:assert/strict";
import { collect, drain, text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

const refusedKeys = [
	"",
	"/",
	"a/",
	"/a",
	"a//b",
	".",
	"..",
	"a/../b",
	"a/./b",
	"../a",
	"a b",
	"a\\b",
	"ä",
	"a\0b",
	"a%2e",
	"a:b",
	"a?b",
	"a\n",
];
const goodKeys = [
	"a",
	"A-Z_0.9",
	"videos/0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d/hls/master.m3u8",
	"...",
	".hidden",
	"a..b/c..",
	"-",
	`${"d".repeat(200)}/${"e".repeat(200)}`,
];

export const keyCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "refuses every key that isn't a path of plain parts, in every method",
		async run({ storage }) {
			for (const key of refusedKeys) {
				const refused = (promise: Promise<unknown>) => assert.rejects(promise, `accepted ${JSON.stringify(key)}`);
				await refused(storage.put(key, text("x")));
				await refused(storage.get(key));
				await refused(storage.head(key));
				await refused(storage.delete(key));
			}
			assert.deepEqual(await Array.fromAsync(storage.list("a/")), []);
		},
	},
	{
		name: "refuses a prefix that doesn't end with a slash, or isn't a path of plain parts",
		async run({ storage }) {
			await storage.put("a/b", text("x"));
			for (const prefix of ["", "a", "/", "../", "a/../", "./", "a//", "a b/"]) {
				await assert.rejects(drain(storage.list(prefix)), `listed ${JSON.stringify(prefix)}`);
				await assert.rejects(storage.deletePrefix(prefix), `deleted ${JSON.stringify(prefix)}`);
			}
			assert.deepEqual(await storage.head("a/b"), { key: "a/b", size: 1 });
		},
	},
	{
		name: "takes every key of plain parts",
		async run({ storage }) {
			for (const key of goodKeys) {
				await storage.put(key, text(key));
				const found = await storage.get(key);
				assert.ok(found);
				assert.equal(String(await collect(found.bytes)), key);
			}
		},
	},
];
