import { createHash, type Hash } from "node:crypto";
import { isReelmillError } from "@reelmill/contracts";
import { LRUCache } from "lru-cache";
import { atMost } from "../caches/index.ts";
import { type Clock, isStorageError, type ObjectStorage, StorageError, unavailableIn } from "../ports/index.ts";
import { createInTime } from "../storage/index.ts";

/** An object whose size in bytes and whose sum, SHA-256 in hexadecimal, are known. */
export type SummedObject = { readonly key: string; readonly size: number; readonly sum: string };

/** How a comparison came out. `missing` also stands for another size, which the comparison of lists reports. */
export type Outcome = "same" | "differs" | "missing" | "unfinished" | { readonly unreadable: string };

/**
 * Reads an object and compares it with its sum. It holds one chunk of it in memory.
 *
 * @throws {Error} what the storage throws, if it is the storage that fails, and not this object; a {@link StorageError}
 * when it gives hardly any bytes, so that nobody can hold up the check for ever.
 */
export type Compare = (
	storage: ObjectStorage,
	object: SummedObject,
	options: {
		/**
		 * A name of this reading, which nothing else has. The reading is `unfinished` if `isOver` says so before the object's
		 * end; the next call with this name goes on there. A call in another process begins the object anew, and goes on by
		 * itself from then on. `null` for an object that is small enough to be read to its end at once.
		 */
		readonly reading: string | null;
		readonly isOver: () => boolean;
		/** Called with each chunk. */
		readonly take: (chunk: Uint8Array) => void;
		/** Whether an object that doesn't come in time counts as unreadable, and not its whole storage as unreachable. */
		readonly isPatient: boolean;
	},
) => Promise<Outcome>;

/** How far an object was read. */
type Reading = { readonly hash: Hash; at: number };

/** A check has one unfinished reading at a time. */
const mostReadings = 100;
/** In this time a call must have come this far, or to the end of a small object. */
const slowMilliseconds = 6000;
const leastBytes = 2 * 1024 * 1024;

export function createCompare(clock: Clock): Compare {
	const inTime = createInTime(clock);
	const unfinished = new LRUCache<string, Reading>(atMost(mostReadings));

	const read = async (
		storage: ObjectStorage,
		{ key, size, sum }: SummedObject,
		{ reading, isOver, take }: Parameters<Compare>[2],
	): Promise<Outcome> => {
		const begunAt = clock.elapsed();
		const name = reading && `${reading} ${key}`;
		const state = (name && unfinished.get(name)) || { hash: createHash("sha256"), at: 0 };
		// A step that is repeated, since its answer was lost, begins the object anew.
		if (name !== null) unfinished.delete(name);
		const enough = reading === null ? size : state.at + leastBytes;
		const found = await storage.get(key, state.at === 0 ? undefined : { start: state.at, end: size - 1 });
		if (found === null) return "missing";
		const chunks = found.bytes[Symbol.asyncIterator]();
		try {
			if (found.size !== size) return "missing";
			for (let next = await inTime(chunks.next()); !next.done; next = await inTime(chunks.next())) {
				state.hash.update(next.value);
				state.at += next.value.length;
				take(next.value);
				if (state.at >= size) continue;
				if (name !== null && state.at >= enough && isOver()) {
					unfinished.set(name, state);
					return "unfinished";
				}
				if (state.at < enough && clock.elapsed() - begunAt >= slowMilliseconds)
					throw new StorageError("unreachable", "It gives its bytes too slowly to be read");
			}
		} finally {
			// A chunk that doesn't come holds this up as well.
			void chunks.return?.().catch(() => undefined);
		}
		return state.hash.digest("hex") === sum ? "same" : "differs";
	};

	return async (storage, object, options) => {
		try {
			return await read(storage, object, options);
		} catch (error) {
			if (error instanceof RangeError) return "missing";
			if (!isOfObject(error) && !(options.isPatient && isLate(error))) throw error;
			// If the storage fails as a whole, this throws as well.
			const there = await storage.head(object.key);
			return there === null ? "missing" : { unreadable: (causeOf(error) as Error).message };
		}
	};
}

const causeOf = (error: unknown): unknown =>
	isReelmillError(error, "storage_unavailable") && error.cause !== undefined ? error.cause : error;

const isLate = (error: unknown): boolean => {
	const cause = causeOf(error);
	return isStorageError(cause) && cause.fault === "unreachable";
};

/** Returns whether an error may be that of a single object, such as a bad sector of its disk. */
function isOfObject(error: unknown): boolean {
	const cause = causeOf(error);
	if (unavailableIn(cause) === "descriptors") return false;
	return isStorageError(cause) ? cause.fault === "failed" : cause instanceof Error;
}
