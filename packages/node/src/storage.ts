import type { CallOptions, Client } from "@reelmill/client";
import type {
	StorageLocation,
	StoragePlace,
	StorageProfile,
	StorageVerification,
	StorageView,
} from "@reelmill/contracts";

/**
 * Calls on the place where new videos are stored; existing videos never move. For a bucket that the domain has or had,
 * the access key may be left out: the last one is used.
 */
export type StorageResource = {
	/** Returns the current profile without its credentials. */
	get(options?: CallOptions): Promise<StorageView>;
	/**
	 * Verifies a profile and makes it the domain's current one.
	 * @throws {ReelmillError} `storage_verification_failed` when the bucket fails the check; `extras` says
	 * where and what mends it, and the profile does not change
	 */
	update(profile: StorageProfile, options?: CallOptions): Promise<StorageView>;
	/** Selects the service's local disk for new videos. Returns the current profile. */
	reset(options?: CallOptions): Promise<StorageView>;
	/** Verifies a profile without saving it. */
	verify(profile: StorageProfile, options?: CallOptions): Promise<StorageVerification>;
	/** Returns where the domain's videos lie, the current place first. Counts are at most 30 s old. */
	places(options?: CallOptions): Promise<StoragePlace[]>;
	/** Returns the platform's locations, which the backend `s3_platform` can use. */
	locations(options?: CallOptions): Promise<StorageLocation[]>;
};

export const createStorage = (client: Client): StorageResource => ({
	get: (options) => client.call("getStorage", {}, options),
	update: (body, options) => client.call("putStorage", { body }, options),
	reset: (options) => client.call("deleteStorage", {}, options),
	verify: (body, options) => client.call("verifyStorage", { body }, options),
	places: async (options) => (await client.call("listStoragePlaces", {}, options)).data,
	locations: async (options) => (await client.call("listStorageLocations", {}, options)).data,
});
