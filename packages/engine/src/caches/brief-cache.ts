import { LRUCache } from "lru-cache";
import type { Stopwatch } from "../ports/index.ts";
import { atMost } from "./at-most.ts";

/** Remembers for a short while what was read. */
export type BriefCache<T> = {
	/**
	 * Returns what `read` answered for this key, if it was called no longer ago than the cache's age; otherwise what it
	 * answers now. The age counts from the call, so no answer is older than it. Many who ask at once share one read. A
	 * read that fails is not remembered.
	 */
	get(key: string, read: () => Promise<T>): Promise<T>;
	/** Returns what `get` would resolve to without a read; undefined if there is no such answer yet. */
	peek(key: string): T | undefined;
	/** Makes the next `get` of this key read again, even if a read is under way. */
	forget(key: string): void;
	forgetAll(): void;
};

type Entry<T> = { readonly answer: Promise<T>; value: T | undefined };

export type BriefCacheOptions<T> = {
	readonly clock: Stopwatch;
	/** How much room there is. A key takes 1, unless `roomOf` says that its answer takes more. */
	readonly max: number;
	readonly milliseconds: number;
	/** Returns how much room an answer takes, at least 1 (default: 1). */
	readonly roomOf?: (answer: T) => number;
};

/** Creates a cache with room for `max` keys: those used longest ago are forgotten. */
export function createBriefCache<T>({ clock, max, milliseconds, roomOf }: BriefCacheOptions<T>): BriefCache<T> {
	// The library takes a time of 0 for none.
	const now = () => 1 + clock.elapsed();
	const cache = new LRUCache<string, Entry<T>>({ ...atMost(max), ttl: milliseconds, ttlResolution: 0, perf: { now } });
	return {
		get(key, read) {
			const known = cache.get(key);
			if (known !== undefined) return known.answer;
			const start = now();
			const entry: Entry<T> = { answer: read(), value: undefined };
			cache.set(key, entry, { start });
			entry.answer.then(
				(value) => {
					entry.value = value;
					if (roomOf !== undefined && cache.peek(key) === entry)
						cache.set(key, { ...entry }, { start, size: roomOf(value) });
				},
				() => {
					if (cache.peek(key) === entry) cache.delete(key);
				},
			);
			return entry.answer;
		},
		peek: (key) => cache.get(key)?.value,
		forget: (key) => void cache.delete(key),
		forgetAll: () => cache.clear(),
	};
}
