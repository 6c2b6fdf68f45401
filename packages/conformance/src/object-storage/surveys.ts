import assert from "node:assert/strict";
import { chunks, random } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

const needs = "survey";
const keys = ["a/b/c", "a/b0", "b/a-b/c", "b/a/z", "b/a/b/c", "b/aa", "b/B", "c", "public/x/y"].sort();

/** For adapters that have `survey`. */
export const surveyCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "surveys all objects, or those under a prefix, behind any key, in order, with sizes and times",
		needs,
		async run({ storage, elsewhere }) {
			const before = Date.now();
			for (const [index, key] of keys.entries()) await storage.put(key, chunks(random(index)));
			for (const prefix of ["", "b/", "b/a/", "nothing/"]) {
				for (const after of ["", "a", "a/b/", "a/b/c", "a/b0", "b/a/b/c", "b/a0", "b0", "c", "zz"]) {
					assert.ok(elsewhere.survey, "the storage surveys");
					const found = await Array.fromAsync(elsewhere.survey({ prefix, after }));
					assert.deepEqual(
						found.map(({ key, size }) => [key, size]),
						[...keys.entries()]
							.filter(([, key]) => key.startsWith(prefix) && key > after)
							.map(([index, key]) => [key, index]),
						`under ${JSON.stringify(prefix)} behind ${JSON.stringify(after)}`,
					);
					// The storage's clock may differ from ours, and count in seconds.
					for (const { modifiedAt } of found)
						assert.ok(Math.abs(modifiedAt.getTime() - before) < 600_000, "the time of the write");
				}
			}
		},
	},
];
