import type { BucketOpener } from "@reelmill/engine/ports";
import { type AddressRules, createAddressRules, createResolver, type Lookup } from "@reelmill/outbound";
import { createBucketClient } from "./client.ts";
import { createS3ObjectStorage } from "./object-storage.ts";
import { createS3UploadStore } from "./upload-store.ts";

export type BucketOpenerOptions = {
	/**
	 * Ranges that buckets of tenants may be at beside public addresses, each like `10.0.0.0/8`. Buckets of the platform
	 * may be anywhere.
	 */
	readonly allow: readonly string[];
	/**
	 * Connections open at once to one bucket, among them those of viewers who read; a request beyond them waits. Default
	 * 256.
	 */
	readonly maxSockets?: number;
	/** Default 5000. */
	readonly connectTimeoutMilliseconds?: number;
	/** How long a request may go without a byte either way, in milliseconds. Default 30 000. */
	readonly idleTimeoutMilliseconds?: number;
	/**
	 * How long somebody waits for the answer to a request without a body, all its attempts together, or for the next
	 * bytes of an object, in milliseconds. Default 5500, so that whoever asks the service has an answer within 10 s.
	 */
	readonly answerTimeoutMilliseconds?: number;
	/**
	 * How long somebody whose upload or output is being stored waits while the server takes not a byte and says nothing,
	 * all attempts together, in milliseconds. What moves may move for as long as it likes; but of some megabytes that the
	 * system has taken over is heard only when they are answered, so that each of three connections must send those in
	 * this time. Default 6000, so that whoever uploads has an answer within 10 s, too; raise it for a way to the bucket
	 * of less than 2 MB/s.
	 */
	readonly progressTimeoutMilliseconds?: number;
	/**
	 * How often a request is sent at most, where another attempt can help. Default 5, which takes 1.5 s at most where
	 * nothing answers at once.
	 */
	readonly attempts?: number;
	/** How names become addresses. Default: one resolver for all buckets. */
	readonly lookup?: Lookup;
};

const anywhere: AddressRules = { allows: () => true };

/**
 * Opens buckets of S3 and of servers that speak its protocol.
 *
 * @throws TypeError that names an entry of `allow` which is no range.
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
