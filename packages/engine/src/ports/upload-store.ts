import type { ByteRange, Bytes, StorageCapabilities } from "./object-storage.ts";

export type AppendOptions = {
	/** The upload's declared size. */
	readonly limit: number;
	readonly signal?: AbortSignal;
	/**
	 * Called with a chunk of the bytes when the store will not look at it again, so that whoever gave it can use its
	 * memory, or let go of it. Not for every chunk: a store may leave it uncalled.
	 */
	readonly release?: (chunk: Uint8Array) => void;
};

/** An upload with the time of its last write. */
export type SurveyedUpload = { readonly id: string; readonly size: number; readonly modifiedAt: Date };

/**
 * The bytes of uploads on their way in and, once whole, the raw source that workers fetch. Ids are lower-case UUIDs; an
 * adapter MUST refuse any other. The caller makes sure that one upload has one writer at a time. A storage that can't
 * do its part now, a full disk among them, rejects with a StorageError.
 */
export interface UploadStore {
	readonly capabilities: StorageCapabilities;
	/** Makes an empty upload. One that is there already stays as it is, with all its bytes. */
	create(id: string): Promise<void>;
	/**
	 * Bytes that are there without a gap from the first on, and outlive a power cut; null where there is no upload. Never
	 * less than any offset that `append` answered, nor more than was made durable: what a killed server wrote, or one
	 * whose write failed, is not counted before that is certain.
	 */
	size(id: string): Promise<number | null>;
	/**
	 * Appends `bytes` at `offset` and answers the new offset. The bytes are durable (they outlive a power cut) before it
	 * resolves. An `offset` other than the present size is a RangeError and writes nothing; so is an upload that isn't
	 * there. Bytes that would pass `limit` (the upload's declared size) make it reject with a RangeError; what came
	 * before them within the limit is kept. What can't be made durable makes it reject with a StorageError. None of it
	 * counts, then or later, in any process: it is to be sent again. When `bytes` throws or `signal` aborts, it keeps
	 * what had come, makes that durable, and resolves with the offset reached. With the byte that reaches `limit` the
	 * upload is whole: `read` and `presign` give it, in one piece, before this resolves.
	 */
	append(id: string, offset: number, bytes: Bytes, options: AppendOptions): Promise<number>;
	/**
	 * The bytes of a whole upload, or of `range` (its end is cut to the size); null where there is none. One that isn't
	 * whole yet gives what is there, or null.
	 */
	read(id: string, range?: ByteRange): Promise<{ readonly size: number; readonly bytes: Bytes } | null>;
	/**
	 * A URL by which whoever holds it may GET the whole source, ranges included, for `seconds`, without other
	 * credentials. Rejects with a TypeError where `capabilities.presign` is false. Meant for uploads that are whole: a
	 * URL of another answers 404.
	 */
	presign(id: string, request: { readonly seconds: number }): Promise<string>;
	/**
	 * Removes the upload and all its bytes; one that isn't there is fine. An `append` that runs meanwhile rejects or is
	 * undone: no bytes come back.
	 */
	discard(id: string): Promise<void>;
	/** Every upload there is, for the sweeper. */
	list(): AsyncIterable<{ readonly id: string; readonly size: number }>;
	/**
	 * Every upload whose id comes behind `after`, which may be empty, in order of ids, with the time of its last write by
	 * the storage's clock. What is left of an upload that was not discarded wholly is among it, with size 0. Optional:
	 * without it `reelmill check` can't look at what the storage holds.
	 */
	survey?(options: { readonly after: string }): AsyncIterable<SurveyedUpload>;
}
