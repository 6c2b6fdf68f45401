import type { ObjectStorage } from "./object-storage.ts";
import type { Clock } from "./system.ts";
import type { UploadStore } from "./upload-store.ts";

/** How to reach one bucket of S3 or of a server that speaks its protocol. */
export type Bucket = {
	/**
	 * Who named it: an address that a tenant named is reached through the guard alone, one that the operator named may be
	 * anywhere.
	 */
	readonly owner: "platform" | "tenant";
	/** Base URL of the server, http or https; null for AWS's own endpoint of the region. */
	readonly endpoint: string | null;
	/**
	 * Base URL that presigned URLs are made for, where those who follow them reach the server by another name; null for
	 * `endpoint`.
	 */
	readonly publicEndpoint: string | null;
	/** Empty for the one that the endpoint's provider has. */
	readonly region: string;
	readonly bucket: string;
	/**
	 * Before the key of each output, without a slash at its end; empty for none. Raw uploads lie at the bucket's root.
	 */
	readonly keyPrefix: string;
	/** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`. */
	readonly forcePathStyle: boolean;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
};

/** Where bytes are kept: raw uploads and finished outputs. */
export type ByteStores = { readonly uploads: UploadStore; readonly outputs: ObjectStorage };

/** The stores of a bucket, opened. */
export type OpenedBucket = ByteStores & {
	/**
	 * What a GET of a URL that these stores presigned answers, for the proof that others can follow it: at most 64 KiB.
	 * It goes the way of the stores' own requests (a tenant's address through the guard alone), without their
	 * credentials. Rejects with a {@link StorageError} for any answer but 200.
	 */
	fetchPresigned(url: string): Promise<Uint8Array>;
	/** Frees its connections; what runs by then rejects. Done twice is fine. */
	close(): Promise<void>;
};

/** Opens the stores of buckets. */
export interface BucketOpener {
	/**
	 * The stores of a bucket. It connects to nothing yet, so a bucket that isn't there shows with the first use, as a
	 * {@link StorageError}. Opened twice, the two share nothing. Where a `clock` is given, requests and presigned URLs
	 * are signed by it, and not by the machine's.
	 */
	open(bucket: Bucket, clock?: Pick<Clock, "now">): OpenedBucket;
}
