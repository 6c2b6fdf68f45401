import type { ObjectStorage } from "./object-storage.ts";
import type { Clock } from "./system.ts";
import type { UploadStore } from "./upload-store.ts";

/**
 * One bucket: where it is, who may use it, and what its adapter alone understands. The engine reads the place and
 * passes on the rest.
 */
export type Bucket = {
	/**
	 * Who named the bucket. A tenant's address is reached through the guard alone; the operator's may be anywhere.
	 */
	readonly owner: "platform" | "tenant";
	/** How the bucket is spoken to, such as `s3`. It says how `options` are to be read. Tenants' buckets speak `s3`. */
	readonly protocol: string;
	/** Base URL of the server, http or https; `null` selects the protocol's own default. */
	readonly endpoint: string | null;
	/**
	 * Base URL that presigned URLs are made for, if those who follow them reach the server by another name; `null`
	 * selects `endpoint`.
	 */
	readonly publicEndpoint: string | null;
	readonly bucket: string;
	/**
	 * Stands before the key of each output; no slash at its end; empty for none. Raw uploads lie at the bucket's root.
	 */
	readonly keyPrefix: string;
	/** The name and the secret of a key to the bucket; `null` if the bucket needs none. */
	readonly credentials: BucketCredentials | null;
	/** What the adapter of the protocol needs beside place and credentials. The engine does not look at it. */
	readonly options: BucketOptions;
};

/** What opens a bucket: an id and a secret. */
export type BucketCredentials = { readonly id: string; readonly secret: string };

/** By names that the adapter chooses. An adapter takes a name that is missing as its default. */
export type BucketOptions = Readonly<Record<string, string | number | boolean>>;

/** Where bytes are kept: raw uploads and finished outputs. */
export type ByteStores = { readonly uploads: UploadStore; readonly outputs: ObjectStorage };

/** The stores of a bucket, opened. */
export type OpenedBucket = ByteStores & {
	/**
	 * Answers what a GET of a URL that these stores presigned answers, at most 64 KiB. It proves that others can follow
	 * such a URL. The request goes the way of the stores' own requests (a tenant's address through the guard alone), but
	 * without their credentials.
	 *
	 * @throws {StorageError} when the answer is not 200, or is longer.
	 */
	fetchPresigned(url: string): Promise<Uint8Array>;
	/** Frees its connections; requests that still run reject. Idempotent. */
	close(): Promise<void>;
};

/** Opens buckets. */
export interface BucketOpener {
	/**
	 * Returns the stores of a bucket. It connects to nothing yet: a bucket that does not exist shows with the first use,
	 * as a {@link StorageError}. If a bucket is opened twice, the two share nothing. If a `clock` is given, requests and
	 * presigned URLs are signed by it, and not by the machine's.
	 */
	open(bucket: Bucket, clock?: Pick<Clock, "now">): OpenedBucket;
}
