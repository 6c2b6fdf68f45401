/** A byte range, both ends included, as in HTTP (RFC 9110, section 14.1.2). */
export type ByteRange = { readonly start: number; readonly end: number };
export type StoredObject = { readonly key: string; readonly size: number };
/** An object with the time at which it was written, by the storage's clock. */
export type SurveyedObject = StoredObject & { readonly modifiedAt: Date };
export type Bytes = AsyncIterable<Uint8Array>;

/**
 * What an adapter can do: make presigned URLs, and give bytes through the service. One that can't `download` MUST
 * reject each `get` (or `read`).
 */
export type StorageCapabilities = { readonly presign: boolean; readonly download: boolean };

/**
 * An object held open: what it reads is of the object as it was opened, also when that is replaced or deleted
 * meanwhile; or it throws.
 */
export type OpenedObject = {
	readonly size: number;
	/**
	 * Fills `target` with the bytes from `position` on and answers how many came: fewer than there is room for only where
	 * the object ends. Many reads may run at once.
	 */
	read(target: Uint8Array, position: number): Promise<number>;
	/**
	 * A descriptor of this process by which the system reads the same bytes, until `close`. Optional: for files of the
	 * system's.
	 */
	readonly descriptor?: number;
	/** Gives back what it holds. No read runs when it is called, and none follows. */
	close(): Promise<void>;
};

/**
 * Finished outputs by key. Keys are `/`-separated paths of `[A-Za-z0-9._-]` parts; an adapter MUST refuse any other
 * key, `.` and `..` parts included. A storage that can't do its part now, a full disk among them, rejects with a
 * StorageError.
 */
export interface ObjectStorage {
	readonly capabilities: StorageCapabilities;
	/**
	 * Stores `bytes` under `key`, replacing what was there, and answers the size in bytes. What was put is read at once
	 * by every server. When `bytes` throws, or `signal` aborts, it rejects, leaves nothing of the new bytes, and what was
	 * there before stays. Durable before it resolves. Put twice at once, one of the two wins whole.
	 */
	put(key: string, bytes: Bytes, options?: { readonly signal?: AbortSignal }): Promise<StoredObject>;
	/**
	 * The object's bytes, or those of `range`; null where there is none. `range.end` past the object's end is cut to it;
	 * a `start` past it is a RangeError. Leaving the iteration early frees what it holds. An object replaced or deleted
	 * while it is read yields its old bytes to the end, or throws: never a mixture.
	 */
	get(key: string, range?: ByteRange): Promise<{ readonly size: number; readonly bytes: Bytes } | null>;
	/**
	 * The object, held open for many reads into memory of the caller's; null where there is none. Optional: for adapters
	 * to which a read of an open object costs less than a `get`. Whoever opens closes.
	 */
	open?(key: string): Promise<OpenedObject | null>;
	/** Size of the object, or null where there is none. */
	head(key: string): Promise<StoredObject | null>;
	/** Deletes the object; one that isn't there is fine. */
	delete(key: string): Promise<void>;
	/** Every object whose key starts with `prefix`, in order of keys. `prefix` ends with `/`, and may be of nothing. */
	list(prefix: string): AsyncIterable<StoredObject>;
	/**
	 * Stores the object of `from` under `to` as well, replacing what was there, and answers its size; null where there is
	 * none. Its bytes don't pass through this process. It comes to be under `to` whole or not at all; a storage that
	 * falls silent may still do it after this rejects. Done twice is fine, and what a killed process leaves is removed by
	 * `deletePrefix`. Nobody replaces `from` meanwhile. Durable before it resolves. Optional: without it nothing is
	 * published at a bucket's own address.
	 */
	copy?(from: string, to: string): Promise<StoredObject | null>;
	/**
	 * A URL by which whoever holds it may GET or PUT this one object for `seconds`, over HTTP and without other
	 * credentials. A GET of it answers Range requests. A PUT of it stores just `size` bytes: the URL MUST be of no use
	 * for another size. It MUST take a PUT with Content-Type and Cache-Control, whatever they say. Each PUT of it says
	 * `If-None-Match: *`: where there is an object, that MUST stay, and the PUT be refused (412). Signing asks nobody, so
	 * a URL of an object that isn't there is made all the same. Rejects with a TypeError where `capabilities.presign` is
	 * false.
	 */
	presign(
		key: string,
		request:
			| { readonly method: "GET"; readonly seconds: number }
			| { readonly method: "PUT"; readonly seconds: number; readonly size: number },
	): Promise<string>;
	/**
	 * Every object whose key starts with `prefix` and comes behind `after`, in order of keys. Both may be empty: then it
	 * is all that the storage holds. What was put there by others under names that are no keys may be among it. `after`
	 * need not be a key of an object. Optional: without it `reelmill check` can't look at what the storage holds.
	 */
	survey?(options: { readonly prefix: string; readonly after: string }): AsyncIterable<SurveyedObject>;
	/** Deletes every object under `prefix`, which ends with `/`. Done twice, or of nothing, is fine. */
	deletePrefix(prefix: string): Promise<void>;
	/**
	 * Removes what puts of killed processes left unfinished, and answers how many; what a put that runs, here or
	 * elsewhere, has so far stays. Optional: for adapters whose puts leave something behind. The engine calls it when it
	 * starts and every four minutes.
	 */
	removeLeftovers?(): Promise<number>;
}
