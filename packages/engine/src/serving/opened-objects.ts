import { LRUCache } from "lru-cache";
import type { OpenedObject, Stopwatch } from "../ports/index.ts";

/** Objects that are read again and again, held open. What a key names never changes; it may be deleted. */
export type OpenedObjects = {
	/**
	 * The object, opened by `open` where it isn't open yet, for a reader that releases it in the end; null where there is
	 * none, which isn't remembered.
	 */
	take(
		key: string,
		open: () => Promise<OpenedObject | null>,
	): Promise<{ readonly object: OpenedObject; release(): void } | null>;
	/** Closes what nobody has read for a while, so that a deleted file's bytes go. */
	closeIdle(): void;
	/** Closes all whose keys begin like this, each once its readers are done. */
	forget(prefix: string): void;
};

type Entry = { readonly opened: Promise<OpenedObject | null>; readers: number; usedAt: number; left: boolean };

const idleMilliseconds = 5000;

/** Holds `max` objects open at most, and those that are being read. */
export function createOpenedObjects({ clock, max }: { clock: Stopwatch; max: number }): OpenedObjects {
	const closeUnused = (entry: Entry): void => {
		if (entry.left && entry.readers === 0)
			void entry.opened.then(
				(object) => object?.close(),
				() => undefined,
			);
	};
	const entries = new LRUCache<string, Entry>({
		max,
		dispose(entry) {
			entry.left = true;
			closeUnused(entry);
		},
	});

	const add = (key: string, opened: Promise<OpenedObject | null>): Entry => {
		const entry: Entry = { opened, readers: 0, usedAt: 0, left: false };
		entries.set(key, entry);
		return entry;
	};

	return {
		async take(key, open) {
			const entry = entries.get(key) ?? add(key, open());
			entry.readers++;
			entry.usedAt = clock.elapsed();
			let released = false;
			const release = () => {
				if (released) return;
				released = true;
				entry.readers--;
				entry.usedAt = clock.elapsed();
				closeUnused(entry);
			};
			const drop = () => {
				if (entries.peek(key) === entry) entries.delete(key);
				release();
			};
			try {
				const object = await entry.opened;
				if (object === null) drop();
				return object && { object, release };
			} catch (error) {
				drop();
				throw error;
			}
		},
		closeIdle() {
			const since = clock.elapsed() - idleMilliseconds;
			for (const [key, { readers, usedAt }] of entries.entries())
				if (readers === 0 && usedAt <= since) entries.delete(key);
		},
		forget(prefix) {
			for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key);
		},
	};
}
