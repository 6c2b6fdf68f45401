import type { CallOptions, Client } from "@reelmill/client";
import type { StorageLocation, StorageProfile, StorageVerification, StorageView } from "@reelmill/contracts";

/**
 * Where NEW videos go; existing ones never move. The key may be left out for a bucket that the domain has or had: then
 * it is the one it was last given.
 */
export type StorageResource = {
	/** The profile in force, credentials hidden. */
	get(options?: CallOptions): Promise<StorageView>;
	/**
	 * Verifies the profile, then saves it. `storage_verification_failed` names the `step` in its extras; the setting
	 * before then stays.
	 */
	update(profile: StorageProfile, options?: CallOptions): Promise<StorageView>;
	/** New videos go to the service's local disk again; gives the profile now in force. */
	reset(options?: CallOptions): Promise<StorageView>;
	/** Verifies the profile and saves nothing. */
	verify(profile: StorageProfile, options?: CallOptions): Promise<StorageVerification>;
	/** The platform's locations, to choose from with backend `s3_platform`. */
	locations(options?: CallOptions): Promise<StorageLocation[]>;
};

export const createStorage = (client: Client): StorageResource => ({
	get: (options) => client.call("getStorage", {}, options),
	update: (body, options) => client.call("putStorage", { body }, options),
	reset: (options) => client.call("deleteStorage", {}, options),
	verify: (body, options) => client.call("verifyStorage", { body }, options),
	locations: async (options) => (await client.call("listStorageLocations", {}, options)).data,
});
