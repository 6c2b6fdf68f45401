/** A byte range, both ends included, as in HTTP (RFC 9110, section 14.1.2). */
export type ByteRange = { readonly start: number; readonly end: number };
export type StoredObject = { readonly key: string; readonly size: number };
export type Bytes = AsyncIterable<Uint8Array>;

/** Finished outputs by key. Keys are `/`-separated paths of `[A-Za-z0-9._-]` parts; an adapter MUST refuse any other key, `.` and `..` parts included. */
export interface ObjectStorage {
	/** What an adapter can do beyond the rest: `presign` URLs, `download` through the service. */
	readonly capabilities: { readonly presign: boolean; readonly download: boolean };
	/**
	 * Stores `bytes` under `key`, replacing what was there, and answers the size in bytes. What was put is read at once by every server.
	 * When `bytes` throws, or `signal` aborts, it rejects, leaves nothing of the new bytes, and what was there before stays. Durable before it resolves.
	 * Put twice at once, one of the two wins whole.
	 */
	put(key: string, bytes: Bytes, options?: { readonly signal?: AbortSignal }): Promise<StoredObject>;
	/**
	 * The object's bytes, or those of `range`; null where there is none. `range.end` past the object's end is cut to it; a `start` past it is a RangeError.
	 * Leaving the iteration early frees what it holds. An object replaced or deleted while it is read yields its old bytes to the end, or throws: never a mixture.
	 */
	get(key: string, range?: ByteRange): Promise<{ readonly size: number; readonly bytes: Bytes } | null>;
	/** Size of the object, or null where there is none. */
	head(key: string): Promise<StoredObject | null>;
	/** Deletes the object; one that isn't there is fine. */
	delete(key: string): Promise<void>;
	/** Every object whose key starts with `prefix`, in order of keys. `prefix` ends with `/`, and may be of nothing. */
	list(prefix: string): AsyncIterable<StoredObject>;
	/** Deletes every object under `prefix`, which ends with `/`. Done twice, or of nothing, is fine. */
	deletePrefix(prefix: string): Promise<void>;
}
