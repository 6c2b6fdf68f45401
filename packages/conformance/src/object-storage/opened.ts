import assert from "node:assert/strict";
import { readSync } from "node:fs";
import type { ObjectStorage, OpenedObject } from "@reelmill/engine/ports";
import { chunks, random, text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

const needs = "open";

async function opened(storage: ObjectStorage, key: string): Promise<OpenedObject> {
	const object = await storage.open?.(key);
	assert.ok(object, "the storage opens an object that is there");
	return object;
}

/** For adapters that have `open`. What the cases say of a descriptor applies to adapters that give one. */
export const openedCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "opens nothing where no object is, also where only longer keys are",
		needs,
		async run({ storage }) {
			await storage.put("a/b/c", text("x"));
			for (const key of ["a", "a/b", "a/b/d", "b"]) assert.equal(await storage.open?.(key), null);
		},
	},
	{
		name: "fills what it is given from any position of an open object, many at once, and less only at its end",
		needs,
		async run({ storage }) {
			const bytes = random(2_500_000);
			await storage.put("a", chunks(bytes));
			const object = await opened(storage, "a");
			assert.equal(object.size, bytes.length);
			const read = async (position: number, room: number) => {
				const target = Buffer.alloc(room);
				const count = await object.read(target, position);
				assert.equal(count, Math.max(0, Math.min(room, bytes.length - position)));
				assert.ok(
					target.subarray(0, count).equals(bytes.subarray(position, position + count)),
					`${room} bytes from ${position}`,
				);
				if (object.descriptor === undefined) return;
				const read = Buffer.alloc(room);
				assert.equal(readSync(object.descriptor, read, 0, room, position), count);
				assert.ok(read.equals(target), `${room} bytes from ${position} by the descriptor`);
			};
			await Promise.all(Array.from({ length: 20 }, (_, index) => read(index * 123_457, 700_000)));
			await read(bytes.length - 1, 10);
			await read(bytes.length, 10);
			await object.close();
		},
	},
	...(["replaced", "deleted"] as const).map(
		(change): Case<ObjectStorageSubject> => ({
			name: `reads no mixture from an open object that is ${change}`,
			needs,
			async run({ storage, elsewhere }) {
				const old = Buffer.alloc(3_000_000, "a");
				await storage.put("a", chunks(old));
				const object = await opened(storage, "a");
				const target = Buffer.alloc(old.length);
				try {
					assert.equal(await object.read(target.subarray(0, 1_000_000), 0), 1_000_000);
					await (change === "replaced"
						? elsewhere.put("a", chunks(Buffer.alloc(3_000_000, "b")))
						: elsewhere.delete("a"));
					const rest = await object.read(target.subarray(1_000_000), 1_000_000).catch(() => null);
					if (rest !== null) assert.ok(target.equals(old));
				} finally {
					await object.close();
				}
				if (change === "deleted") assert.equal(await storage.open?.("a"), null);
			},
		}),
	),
];
