import type { ObjectStorage } from "@reelmill/engine/ports";
import { createMemoryObjectStorage, inParts, type Objects, take } from "./memory-object-storage.ts";

/** Each adapter breaks one promise of the port, and names the case that must notice. */
export const brokenObjectStorages: readonly {
	readonly flaw: string;
	readonly noticedBy: string;
	make(objects: Objects): ObjectStorage;
}[] = [
	{
		flaw: "keeps what came of an aborted put",
		noticedBy: "leaves nothing of a put that is aborted while its bytes hang, and keeps what was there",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			async put(key, bytes, { signal } = {}) {
				const chunks: Uint8Array[] = [];
				const failure = await take(bytes, signal, (chunk) => chunks.push(chunk.slice()));
				objects.set(key, Buffer.concat(chunks));
				if (failure) throw failure;
				return { key, size: objects.get(key)?.length ?? 0 };
			},
		}),
	},
	{
		flaw: "resolves a put whose bytes threw",
		noticedBy: "leaves nothing of a put whose bytes throw, and keeps what was there",
		make: (objects) => {
			const storage = createMemoryObjectStorage(objects);
			return {
				...storage,
				put: (key, bytes, options) => storage.put(key, bytes, options).catch(() => ({ key, size: 0 })),
			};
		},
	},
	{
		flaw: "writes into the object in place, so that two puts mix",
		noticedBy: "lets one of twenty puts made at once win whole",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			async put(key, bytes) {
				let at = 0;
				for await (const chunk of bytes) {
					const old = objects.get(key) ?? Buffer.alloc(0);
					objects.set(key, Buffer.concat([old.subarray(0, at), chunk, old.subarray(at + chunk.length)]));
					at += chunk.length;
				}
				return { key, size: at };
			},
		}),
	},
	{
		flaw: "leaves out a range's last byte",
		noticedBy: "answers exactly the bytes of a range, both ends included, and the whole object's size with them",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			async get(key, range) {
				const found = objects.get(key);
				return found
					? { size: found.length, bytes: inParts(range ? found.subarray(range.start, range.end) : found) }
					: null;
			},
		}),
	},
	{
		flaw: "lists keys in the order of their making",
		noticedBy: "lists exactly what is under a prefix, in order of keys, with sizes",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			async *list(prefix) {
				for (const [key, bytes] of objects) if (key.startsWith(prefix)) yield { key, size: bytes.length };
			},
		}),
	},
	{
		flaw: "deletes every key that begins like the prefix, cut of its slash",
		noticedBy: "deletes all under a prefix and nothing else, twice and of nothing",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			async deletePrefix(prefix) {
				for (const key of objects.keys()) if (key.startsWith(prefix.slice(0, -1))) objects.delete(key);
			},
		}),
	},
	{
		flaw: "takes any key",
		noticedBy: "refuses every key that isn't a path of plain parts, in every method",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			head: async (key) => (objects.has(key) ? { key, size: 0 } : null),
		}),
	},
	{
		flaw: "yields new bytes to a reader of the old ones",
		noticedBy: "never yields a mixture when an object is replaced while it is read",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			async get(key) {
				const size = objects.get(key)?.length;
				if (size === undefined) return null;
				async function* parts(): AsyncGenerator<Uint8Array> {
					for (let at = 0; at < (objects.get(key)?.length ?? 0); at += 65_536)
						yield objects.get(key)?.subarray(at, at + 65_536) ?? Buffer.alloc(0);
				}
				return { size, bytes: parts() };
			},
		}),
	},
	{
		flaw: "moves what it is to copy",
		noticedBy: "copies an object byte for byte, an empty one too, at once for every server, and keeps the first",
		make: (objects) => {
			const storage = createMemoryObjectStorage(objects);
			return {
				...storage,
				async copy(from, to) {
					const copied = (await storage.copy?.(from, to)) ?? null;
					objects.delete(from);
					return copied;
				},
			};
		},
	},
	{
		flaw: "empties what it is to replace by a copy of nothing",
		noticedBy: "answers null where there is nothing to copy, and leaves what was there",
		make: (objects) => {
			const storage = createMemoryObjectStorage(objects);
			return {
				...storage,
				async copy(from, to) {
					objects.delete(to);
					return (await storage.copy?.(from, to)) ?? null;
				},
			};
		},
	},
	{
		flaw: "lets an open object follow its key",
		noticedBy: "reads no mixture from an open object that is replaced",
		make: (objects) => ({
			...createMemoryObjectStorage(objects),
			async open(key) {
				const size = objects.get(key)?.length;
				if (size === undefined) return null;
				return {
					size,
					read: async (target, position) => objects.get(key)?.copy(target, 0, position) ?? 0,
					close: async () => undefined,
				};
			},
		}),
	},
];
