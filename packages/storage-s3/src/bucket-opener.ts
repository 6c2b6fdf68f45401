import type { BucketOpener } from "@reelmill/engine/ports";
import { type AddressRules, createAddressRules, type Lookup } from "@reelmill/outbound";
import { createBucketClient } from "./client.ts";
import { createS3ObjectStorage } from "./object-storage.ts";
import { createS3UploadStore } from "./upload-store.ts";

export type BucketOpenerOptions = {
	/** Ranges that buckets of tenants may be at beside public addresses, each like `10.0.0.0/8`. Buckets of the platform may be anywhere. */
	readonly allow: readonly string[];
	/** Connections open at once to one bucket; a request beyond them waits. Default 64. */
	readonly maxSockets?: number;
	/** Default 5000. */
	readonly connectTimeoutMilliseconds?: number;
	/** How long a request may go without a byte either way, in milliseconds. Default 30 000. */
	readonly idleTimeoutMilliseconds?: number;
	/** How often a request is sent at most, where another attempt can help. Default 5, which takes 1.5 s at most where nothing answers at once. */
	readonly attempts?: number;
	/** How names become addresses. */
	readonly lookup?: Lookup;
};

const anywhere: AddressRules = { allows: () => true };

/**
 * Opens buckets of S3 and of servers that speak its protocol.
 *
 * @throws TypeError that names an entry of `allow` which is no range.
 */
export function createBucketOpener(options: BucketOpenerOptions): BucketOpener {
	const { allow, ...connections } = options;
	const tenants = createAddressRules(allow);
	return {
		open(bucket) {
			const client = createBucketClient(bucket, { ...connections, rules: bucket.owner === "tenant" ? tenants : anywhere });
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
