import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chunks, random } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

const needs = "survey";

/** For adapters that have `survey`. */
export const surveyCases: readonly Case<UploadStoreSubject>[] = [
	{
		name: "surveys every upload, whole or not, from any id on, in order of ids, with sizes and times",
		needs,
		async run({ store, elsewhere }) {
			const before = Date.now();
			const ids = Array.from({ length: 6 }, () => randomUUID()).sort();
			for (const [size, id] of ids.entries()) {
				await store.create(id);
				await store.append(id, 0, chunks(random(size)), { limit: size % 2 ? size : 10 });
			}
			for (const after of ["", "0", ids[0] ?? "", ids[3] ?? "", ids[5] ?? ""]) {
				assert.ok(elsewhere.survey, "the store surveys");
				const found = await Array.fromAsync(elsewhere.survey({ after }));
				assert.deepEqual(
					found.map(({ id, size }) => ({ id, size })),
					ids.map((id, size) => ({ id, size })).filter(({ id }) => id > after),
				);
				for (const { modifiedAt } of found)
					assert.ok(Math.abs(modifiedAt.getTime() - before) < 600_000, "the time of the write");
			}
			for (const id of ids) await store.discard(id);
			assert.deepEqual(await Array.fromAsync(elsewhere.survey?.({ after: "" }) ?? [null]), []);
		},
	},
];
