import type { BucketOpener } from "@reelmill/engine/ports";
import { type AddressRules, createAddressRules, createResolver, type Lookup } from "@reelmill/outbound";
import { createBucketClient } from "./client/bucket-client.ts";
import { createS3ObjectStorage } from "./objects/object-storage.ts";
import { createS3UploadStore } from "./uploads/upload-store.ts";

/** Which addresses are allowed beside public ones, and how long a bucket may be silent. */
export type BucketOpenerOptions = {
	/**
	 * Address ranges, each like `10.0.0.0/8`, that buckets of tenants may be at in addition to public addresses. Buckets
	 * of the platform may be anywhere.
	 */
	readonly allow: readonly string[];
	/**
	 * How many connections to one bucket may be open at once, those of readers included (default: 256). A request beyond
	 * them waits.
	 */
	readonly maxSockets?: number;
	/** How long a connection may take to open, in milliseconds (default: 5000). */
	readonly connectTimeoutMilliseconds?: number;
	/** How long a request may go without a byte in either direction, in milliseconds (default: 30,000). */
	readonly idleTimeoutMilliseconds?: number;
	/**
	 * How long a caller waits for the answer to a request without a body, all its attempts together, or for the next
	 * bytes of an object, in milliseconds (default: 5500). With the default, whoever asks the service has an answer
	 * within 10 s.
	 */
	readonly answerTimeoutMilliseconds?: number;
	/**
	 * How long a caller whose bytes are being stored waits while the server takes no byte and sends none, all attempts
	 * together, in milliseconds (default: 6000). A transfer that moves may take any time. The operating system buffers
	 * some megabytes of each connection, and their progress is only seen when they are answered: each of three
	 * connections must send its buffer within this time. With the default, whoever uploads has an answer within 10 s.
	 * Raise it if the way to the bucket is slower than 2 MiB/s.
	 */
	readonly progressTimeoutMilliseconds?: number;
	/**
	 * How often a request is sent at most if another attempt can help (default: 5, about 1.5 s if each attempt fails at
	 * once).
	 */
	readonly attempts?: number;
	/** Resolves host names to addresses (default: one resolver for all buckets). */
	readonly lookup?: Lookup;
};

const anywhere: AddressRules = { allows: () => true };

/**
 * Makes an opener for buckets of S3 and of servers that speak its protocol. Opening a bucket connects to nothing.
 *
 * @throws {TypeError} when an entry of `allow` isn't an address range; the message names it.
 *
 * @example
 * ```ts
 * import { createBucketOpener, s3Bucket } from "@reelmill/storage-s3";
 *
 * const bucket = s3Bucket({
 * 	owner: "platform",
 * 	endpoint: "https://s3.example.com",
 * 	region: "eu-1",
 * 	bucket: "videos",
 * 	forcePathStyle: true,
 * 	accessKeyId: "AKID",
 * 	secretAccessKey: "secret",
 * });
 * const { outputs, close } = createBucketOpener({ allow: [] }).open(bucket);
 * const url = await outputs.presign("v/web.mp4", { method: "GET", seconds: 60 });
 * await close();
 * console.log(new URL(url).pathname); // => /videos/v/web.mp4
 * ```
 */
export function createBucketOpener(options: BucketOpenerOptions): BucketOpener {
	const { allow, lookup = createResolver(), ...connections } = options;
	const tenants = createAddressRules(allow);
	return {
		open(bucket, clock) {
			const client = createBucketClient(bucket, {
				...connections,
				lookup,
				clock,
				rules: bucket.owner === "tenant" ? tenants : anywhere,
			});
			return {
				outputs: createS3ObjectStorage(client),
				uploads: createS3UploadStore(client),
				fetchPresigned: client.fetchPresigned,
				async close() {
					client.close();
				},
			};
		},
	};
}
