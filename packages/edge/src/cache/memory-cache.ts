import type { EdgeCache, Kept } from "./cache.ts";

export type MemoryCacheOptions = {
	/** How many bytes are kept at most (default: 256 MiB). What was not asked for the longest goes first. */
	readonly maxBytes?: number;
	/** A clock that never goes back, in milliseconds (default: `performance.now`). */
	readonly monotonic?: () => number;
};

type Entry = { readonly kept: Kept; readonly endsAt: number; readonly size: number };

/** What an entry costs beside its bytes and texts, about. */
const entryBytes = 200;

/** Creates a cache in the memory of this process. Entries that are larger than all of it are not kept. */
export function createMemoryCache({
	maxBytes = 256 * 1024 * 1024,
	monotonic = () => performance.now(),
}: MemoryCacheOptions = {}): EdgeCache {
	// A Map lists its keys in the order in which they were set.
	const entries = new Map<string, Entry>();
	let bytes = 0;
	const remove = (key: string): void => {
		const entry = entries.get(key);
		if (entry === undefined) return;
		entries.delete(key);
		bytes -= entry.size;
	};
	return {
		async get(key) {
			const entry = entries.get(key);
			if (entry === undefined) return undefined;
			if (monotonic() >= entry.endsAt) {
				remove(key);
				return undefined;
			}
			entries.delete(key);
			entries.set(key, entry);
			return entry.kept;
		},
		async set(key, kept, seconds) {
			remove(key);
			const size = kept.bytes.length + 2 * (key.length + kept.about.length) + entryBytes;
			if (size > maxBytes) return;
			entries.set(key, { kept, endsAt: monotonic() + seconds * 1000, size });
			bytes += size;
			for (const oldest of entries.keys()) {
				if (bytes <= maxBytes) break;
				remove(oldest);
			}
		},
	};
}
