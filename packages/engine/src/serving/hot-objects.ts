import { LRUCache } from "lru-cache";
import { atMost } from "../caches/index.ts";
import type { Bytes } from "../ports/index.ts";
import type { ByteReader, ServedBytes } from "./served-bytes.ts";

/** Objects, and ranges of them, that are asked for again and again. The bytes of a key never change. */
export type HotObjects = {
	/**
	 * Returns the bytes of `key`, which has `size` bytes: from memory if they are kept, else as `read` streams them. They
	 * are kept from the second request on. Requests that come during the read wait for that one read. A read that fails
	 * isn't kept.
	 */
	get(key: string, size: number, read: () => Promise<ServedBytes>): Promise<ServedBytes>;
	/** Returns what `get` would resolve to if that is in memory, and counts as a `get` then; undefined otherwise. */
	peek(key: string): ServedBytes | undefined;
	/** Returns how often bytes were in memory or on their way there, how often not, and how many bytes are taken. */
	counts(): { readonly hits: number; readonly misses: number; readonly bytes: number };
};

type Hot = { readonly size: number; readonly bytes: Promise<ServedBytes>; kept?: ServedBytes };

/** The size of a segment. Larger objects are streamed. */
const largestBytes = 4 * 1024 * 1024;
/**
 * Up to this size, an object's bytes are kept twice, since the text that is sent for them is kept as well, and its key
 * and its place take room that counts. Viewers choose ranges: without this, ranges of one byte would fill the memory.
 */
const smallBytes = 8 * 1024;
const placeBytes = 1024;
const roomFor = (size: number): number => (size > smallBytes ? size : 2 * size + placeBytes);
/** How many keys are remembered that were asked for once. */
const remembered = 20_000;

/** Keeps at most `maxBytes`, of the objects that were asked for last. */
export function createHotObjects({ maxBytes }: { maxBytes: number }): HotObjects {
	const asked = new LRUCache<string, true>(atMost(remembered));
	const hot =
		maxBytes === 0
			? null
			: new LRUCache<string, Hot>({
					maxSize: maxBytes,
					sizeCalculation: ({ size }) => roomFor(size),
				});

	let [hits, misses] = [0, 0];

	return {
		counts: () => ({ hits, misses, bytes: hot?.calculatedSize ?? 0 }),
		peek(key) {
			const kept = hot?.get(key)?.kept;
			if (kept !== undefined) hits++;
			return kept;
		},
		async get(key, size, read) {
			const known = hot?.get(key);
			if (known !== undefined) {
				hits++;
				return known.bytes;
			}
			misses++;
			if (hot === null || size === 0 || size > Math.min(largestBytes, maxBytes) || !asked.has(key)) {
				asked.set(key, true);
				return read();
			}
			const entry: Hot = { size, bytes: collect(size, read) };
			hot.set(key, entry);
			entry.bytes.then(
				(bytes) => {
					entry.kept = bytes;
				},
				() => {
					if (hot.peek(key) === entry) hot.delete(key);
				},
			);
			return entry.bytes;
		},
	};
}

async function collect(size: number, read: () => Promise<ServedBytes>): Promise<ServedBytes> {
	const inMemory = Buffer.allocUnsafeSlow(size);
	const bytes = await read();
	const { reader } = bytes;
	if (reader !== undefined) await fill(inMemory, reader);
	else await gather(inMemory, bytes);
	return {
		inMemory,
		async *[Symbol.asyncIterator]() {
			yield inMemory;
		},
	};
}

async function fill(target: Uint8Array, reader: ByteReader): Promise<void> {
	try {
		for (let at = 0; at < target.length; ) {
			const count = await reader.read(target.subarray(at));
			if (count === 0) throw new Error("The object ended before its size");
			at += count;
		}
	} finally {
		reader.close();
	}
}

async function gather(target: Uint8Array, bytes: Bytes): Promise<void> {
	let at = 0;
	for await (const chunk of bytes) {
		if (at + chunk.length > target.length) throw new Error("The object is longer than its size");
		target.set(chunk, at);
		at += chunk.length;
	}
	if (at < target.length) throw new Error("The object ended before its size");
}
