import type { BucketOpener, ByteStores } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { createDomainStorage, type Storage } from "./domain-storage.ts";
import type { PlatformLocation } from "./profiles/locations.ts";
import { createProfiles } from "./profiles/profiles.ts";
import { createHealth } from "./stores/health.ts";
import { createStores, type Stores } from "./stores/stores.ts";
import { createNoteProbes } from "./verification/probes.ts";
import { createVerify } from "./verification/verify.ts";

/** The domains' storage, with what the engine's other parts need of it. */
export type StorageNoun = Storage & {
	/** Where the bytes of each video are. */
	readonly stores: Stores;
	/**
	 * Returns whether a profile that was found broken works again: does its round trip anew, at most every 2 s, and notes
	 * what comes of it.
	 */
	works(profileId: string): Promise<boolean>;
	/** Returns how many uses of buckets have failed in this process. */
	failures(): number;
};

/** Assembles profiles, buckets, their health and their verification. */
export function createStorage(
	parts: Parts,
	{
		local,
		buckets,
		locations,
		sealer,
		wait,
	}: {
		local: ByteStores;
		/** Without it, domains store on the local disk alone. */
		buckets: BucketOpener | undefined;
		locations: readonly PlatformLocation[];
		sealer: Sealer;
		/** Waits for work that goes on by itself, for so many milliseconds. */
		wait: (work: () => Promise<void>, milliseconds: number) => Promise<void>;
	},
): StorageNoun {
	const profiles = createProfiles(parts);
	const health = createHealth(parts, { forget: profiles.forget, wait });
	const domainStorage = createDomainStorage(parts, {
		profiles,
		health,
		verify: createVerify(parts, { local, buckets }),
		noteProbes: createNoteProbes(parts),
		locations,
		sealer,
		hasBuckets: buckets !== undefined,
	});
	return {
		...domainStorage,
		stores: createStores(parts, { local, buckets, locations, profiles, health, sealer }),
		failures: health.failures,
	};
}
