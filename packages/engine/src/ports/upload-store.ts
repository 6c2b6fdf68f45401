import type { ByteRange, Bytes, StorageCapabilities } from "./object-storage.ts";

/** What bounds an append, and what ends it. */
export type AppendOptions = {
	/** The upload's declared size. */
	readonly limit: number;
	readonly signal?: AbortSignal;
	/**
	 * Called with a chunk of the bytes when the store will not look at it again. Whoever gave the chunk can then use its
	 * memory, or let go of it. A store need not call it for every chunk.
	 */
	readonly release?: (chunk: Uint8Array) => void;
};

/** An upload and the time of its last write. */
export type SurveyedUpload = { readonly id: string; readonly size: number; readonly modifiedAt: Date };

/**
 * The bytes of uploads on their way in and, once whole, the raw source that workers fetch. Ids are lower-case UUIDs; an
 * adapter MUST refuse any other. The caller makes sure that one upload has one writer at a time.
 *
 * @throws {StorageError} when the storage can't do its part now, for instance because its disk is full.
 */
export interface UploadStore {
	readonly capabilities: StorageCapabilities;
	/** Makes an empty upload. An upload that exists stays as it is, with all its bytes. */
	create(id: string): Promise<void>;
	/**
	 * Returns how many bytes are there without a gap from the first on, and outlive a power cut; `null` if there is no
	 * upload. The number is never less than an offset that `append` returned, nor more than was made durable: bytes of a
	 * killed server, or of a failed write, count only once they are certain.
	 */
	size(id: string): Promise<number | null>;
	/**
	 * Appends `bytes` at `offset` and returns the new offset. The bytes are durable (they outlive a power cut) before it
	 * resolves. With the byte that reaches `limit` the upload is whole: `read` and `presign` return it in one piece
	 * before this resolves. If `bytes` throws or `signal` aborts, it keeps what has come, makes that durable, and
	 * resolves with the offset reached.
	 *
	 * @throws {RangeError} when `offset` is not the present size, or there is no such upload: nothing is written. Also
	 * when the bytes would pass `limit` (the upload's declared size): what came before them within the limit is kept.
	 * @throws {StorageError} when bytes can't be made durable. None of them counts, then or later, in any process: they
	 * have to be sent again.
	 */
	append(id: string, offset: number, bytes: Bytes, options: AppendOptions): Promise<number>;
	/**
	 * Returns the bytes of a whole upload, or of `range` (its end is cut to the size); `null` if there is none. For an
	 * upload that isn't whole yet it returns what is there, or `null`.
	 */
	read(id: string, range?: ByteRange): Promise<{ readonly size: number; readonly bytes: Bytes } | null>;
	/**
	 * Returns a URL by which whoever holds it may GET the whole source, ranges included, for `seconds`, without other
	 * credentials. It is meant for uploads that are whole: a URL of another answers 404.
	 *
	 * @throws {TypeError} when `capabilities.presign` is false.
	 */
	presign(id: string, request: { readonly seconds: number }): Promise<string>;
	/**
	 * Removes the upload and all its bytes. A missing upload is fine. An `append` that runs meanwhile rejects or is
	 * undone: no bytes come back.
	 */
	discard(id: string): Promise<void>;
	/** Lists every upload, for the sweeper. */
	list(): AsyncIterable<{ readonly id: string; readonly size: number }>;
	/**
	 * Lists every upload whose id comes after `after`, in order of ids, with the time of its last write by the storage's
	 * clock. `after` may be empty. What is left of an upload that was not discarded wholly is among them, with size 0.
	 * Optional: without it, `reelmill check` can't look at what the storage holds.
	 */
	survey?(options: { readonly after: string }): AsyncIterable<SurveyedUpload>;
}
