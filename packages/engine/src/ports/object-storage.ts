/** A byte range; both ends are included, as in HTTP (RFC 9110, section 14.1.2). */
export type ByteRange = { readonly start: number; readonly end: number };
/** What is known of an object without reading it: its size in bytes. */
export type StoredObject = { readonly key: string; readonly size: number };
/** An object and the time when it was written, by the storage's clock. */
export type SurveyedObject = StoredObject & { readonly modifiedAt: Date };
/** Bytes that come in pieces. */
export type Bytes = AsyncIterable<Uint8Array>;

/**
 * What an adapter can do: make presigned URLs (`presign`), and return bytes through the service (`download`). An
 * adapter without `download` MUST reject each `get` or `read`.
 */
export type StorageCapabilities = { readonly presign: boolean; readonly download: boolean };

/**
 * An object that is held open. If the object is replaced or deleted meanwhile, reads return the bytes that it had when
 * it was opened, or throw.
 */
export type OpenedObject = {
	readonly size: number;
	/**
	 * Fills `target` with the bytes from `position` on and returns how many came. It returns fewer than there is room for
	 * only at the object's end. Several reads may run at once.
	 */
	read(target: Uint8Array, position: number): Promise<number>;
	/**
	 * A descriptor of this process that reads the same bytes, until `close`. Optional: for storages whose objects are
	 * files of the system.
	 */
	readonly descriptor?: number;
	/** Gives back what it holds. No read runs when it is called, and none follows. */
	close(): Promise<void>;
};

/**
 * Finished outputs by key. Keys are `/`-separated paths of `[A-Za-z0-9._-]` parts; an adapter MUST refuse any other
 * key, including `.` and `..` parts.
 *
 * @throws {StorageError} when the storage can't do its part now, for instance because its disk is full.
 */
export interface ObjectStorage {
	readonly capabilities: StorageCapabilities;
	/**
	 * Stores `bytes` under `key`, replaces what was there, and returns the size in bytes. The object is durable before
	 * this resolves, and every server reads it at once. If `bytes` throws or `signal` aborts, it rejects, leaves nothing
	 * of the new bytes, and keeps what was there. If two puts run at once, one of them wins whole.
	 *
	 * It may call `release` with a chunk of the bytes when it will not look at it again.
	 */
	put(
		key: string,
		bytes: Bytes,
		options?: { readonly signal?: AbortSignal; readonly release?: ((chunk: Uint8Array) => void) | undefined },
	): Promise<StoredObject>;
	/**
	 * Returns the object's bytes, or those of `range`; `null` if there is no object. A `range.end` past the object's end
	 * is cut to it. Leaving the iteration early frees what it holds. An object that is replaced or deleted while it is
	 * read yields its old bytes to the end, or throws: never a mixture.
	 *
	 * @throws {RangeError} when `range.start` is past the object's end.
	 */
	get(key: string, range?: ByteRange): Promise<{ readonly size: number; readonly bytes: Bytes } | null>;
	/**
	 * Opens the object for many reads into the caller's memory; `null` if there is none. Whoever opens it closes it.
	 * Optional: for adapters to which a read of an open object costs less than a `get`.
	 */
	open?(key: string): Promise<OpenedObject | null>;
	/** Returns the object's size; `null` if there is none. */
	head(key: string): Promise<StoredObject | null>;
	/** Deletes the object. A missing object is fine. */
	delete(key: string): Promise<void>;
	/**
	 * Lists every object whose key starts with `prefix`, in order of keys. `prefix` ends with `/`; there may be nothing
	 * under it.
	 */
	list(prefix: string): AsyncIterable<StoredObject>;
	/**
	 * Copies the object of `from` to `to`, replaces what was there, and returns its size; `null` if there is no object.
	 * The bytes don't pass through this process. The copy appears whole or not at all, and is durable before this
	 * resolves; a storage that falls silent may still complete it after this rejected. Idempotent. `deletePrefix` removes
	 * what a killed process leaves. Nobody replaces `from` meanwhile. Optional: without it, nothing is published at a
	 * bucket's own address.
	 */
	copy?(from: string, to: string): Promise<StoredObject | null>;
	/**
	 * Returns a URL by which whoever holds it may GET or PUT this one object for `seconds`, over HTTP and without other
	 * credentials. It asks no server, so the object need not exist.
	 *
	 * A GET answers Range requests. A PUT stores exactly `size` bytes: the URL MUST be of no use for another size. A PUT
	 * MUST be accepted with any Content-Type and Cache-Control. Each PUT says `If-None-Match: *`: an object that exists
	 * MUST stay, and the PUT be refused (412).
	 *
	 * @throws {TypeError} when `capabilities.presign` is false.
	 */
	presign(
		key: string,
		request:
			| { readonly method: "GET"; readonly seconds: number }
			| { readonly method: "PUT"; readonly seconds: number; readonly size: number },
	): Promise<string>;
	/**
	 * Lists every object whose key starts with `prefix` and comes after `after`, in order of keys. Both may be empty:
	 * then it lists all that the storage holds. Objects that others put there under names that are no keys may be among
	 * them. `after` need not be the key of an object. Optional: without it, `reelmill check` can't look at what the
	 * storage holds.
	 */
	survey?(options: { readonly prefix: string; readonly after: string }): AsyncIterable<SurveyedObject>;
	/** Deletes every object under `prefix`, which ends with `/`. Idempotent; there may be nothing under it. */
	deletePrefix(prefix: string): Promise<void>;
	/**
	 * Removes what puts of killed processes left unfinished, and returns how many. What a running put has stored so far
	 * stays, whichever process runs it. The engine calls it when it starts and every four minutes. Optional: for adapters
	 * whose puts leave something behind.
	 */
	removeLeftovers?(): Promise<number>;
}
