import { LRUCache } from "lru-cache";
import type { Bytes } from "../ports/index.ts";

/** Bytes as they come; those that are in memory at once in one piece too, which is shared and must not be changed. */
export type DeliveredBytes = Bytes & { readonly inMemory?: Uint8Array };

/** Objects, and ranges of them, that are asked for again and again. What a key names never changes. */
export type HotObjects = {
	/**
	 * The bytes of `key`, of which there are `size`: from memory where they are hot, else as `read` streams them. They are kept from the second time on that
	 * they are asked for; those who ask while they are read wait for that one read. A read that fails is not remembered.
	 */
	get(key: string, size: number, read: () => Promise<Bytes>): Promise<DeliveredBytes>;
};

/** A segment's size; what is larger is streamed. */
const largestBytes = 4 * 1024 * 1024;
/** How many keys are remembered as asked for once. */
const remembered = 20_000;

/** Keeps `maxBytes` at most, those asked for last. */
export function createHotObjects({ maxBytes }: { maxBytes: number }): HotObjects {
	const asked = new LRUCache<string, true>({ max: remembered });
	const hot =
		maxBytes === 0
			? null
			: new LRUCache<string, { readonly size: number; readonly bytes: Promise<DeliveredBytes> }>({ maxSize: maxBytes, sizeCalculation: ({ size }) => size });

	return {
		async get(key, size, read) {
			const known = hot?.get(key);
			if (known !== undefined) return known.bytes;
			if (hot === null || size === 0 || size > Math.min(largestBytes, maxBytes) || !asked.has(key)) {
				asked.set(key, true);
				return read();
			}
			const entry = { size, bytes: collect(size, read) };
			hot.set(key, entry);
			entry.bytes.catch(() => {
				if (hot.peek(key) === entry) hot.delete(key);
			});
			return entry.bytes;
		},
	};
}

async function collect(size: number, read: () => Promise<Bytes>): Promise<DeliveredBytes> {
	const inMemory = Buffer.allocUnsafeSlow(size);
	let at = 0;
	for await (const chunk of await read()) {
		if (at + chunk.length > size) throw new Error("The object is longer than its size");
		inMemory.set(chunk, at);
		at += chunk.length;
	}
	if (at < size) throw new Error("The object ended before its size");
	return {
		inMemory,
		async *[Symbol.asyncIterator]() {
			yield inMemory;
		},
	};
}
