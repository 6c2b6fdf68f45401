import type { ByteRange, Bytes } from "./object-storage.ts";

/**
 * The bytes of uploads on their way in and, once whole, the raw source that workers fetch. Ids are lower-case UUIDs; an adapter MUST refuse any other.
 * The caller makes sure that one upload has one writer at a time.
 */
export interface UploadStore {
	/** Makes an empty upload. One that is there already stays as it is, with all its bytes. */
	create(id: string): Promise<void>;
	/** Bytes that are there without a gap from the first on; null where there is no upload. Never less than any offset that `append` answered. */
	size(id: string): Promise<number | null>;
	/**
	 * Appends `bytes` at `offset` and answers the new offset. The bytes are durable (they outlive a power cut) before it resolves.
	 * An `offset` other than the present size is a RangeError and writes nothing; so is an upload that isn't there.
	 * Bytes that would pass `limit` (the upload's declared size) make it reject with a RangeError; what came before them within the limit is kept.
	 * When `bytes` throws or `signal` aborts, it keeps what had come, makes that durable, and resolves with the offset reached.
	 */
	append(id: string, offset: number, bytes: Bytes, options: { readonly limit: number; readonly signal?: AbortSignal }): Promise<number>;
	/** The bytes of the upload, or of `range` (its end is cut to the size); null where there is none. */
	read(id: string, range?: ByteRange): Promise<{ readonly size: number; readonly bytes: Bytes } | null>;
	/** Removes the upload and all its bytes; one that isn't there is fine. An `append` that runs meanwhile rejects or is undone: no bytes come back. */
	discard(id: string): Promise<void>;
	/** Every upload there is, for the sweeper. */
	list(): AsyncIterable<{ readonly id: string; readonly size: number }>;
}
