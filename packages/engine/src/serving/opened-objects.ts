import { LRUCache } from "lru-cache";
import type { OpenedObject, Stopwatch } from "../ports/index.ts";

/** Objects that are held open because they are read again and again. Their bytes never change; they may be deleted. */
export type OpenedObjects = {
	/**
	 * Returns the object, which `open` opens if it isn't open yet. The caller releases it after reading. Returns null if
	 * there is no such object; that isn't remembered.
	 */
	take(
		key: string,
		open: () => Promise<OpenedObject | null>,
	): Promise<{ readonly object: OpenedObject; release(): void } | null>;
	/** Closes objects that nobody has read for a while, so that the space of deleted files is freed. */
	closeIdle(): void;
	/** Closes all objects whose keys begin with `prefix`, each as soon as its readers have finished. */
	forget(prefix: string): void;
};

type Entry = { readonly opened: Promise<OpenedObject | null>; readers: number; usedAt: number; left: boolean };

const idleMilliseconds = 5000;

/** Holds at most `max` objects open, apart from those that are being read. */
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
