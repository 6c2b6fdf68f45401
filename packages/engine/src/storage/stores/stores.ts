import { ReelmillError } from "@reelmill/contracts";
import { type Bucket, type BucketOpener, type ByteStores, isStorageError, StorageError } from "../../ports/index.ts";
import type { Sealer } from "../../secrets/index.ts";
import type { Parts } from "../../system/index.ts";
import type { PlatformLocation } from "../profiles/locations.ts";
import { bucketOf, type ProfileRow } from "../profiles/profile.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { createBucketPool } from "./bucket-pool.ts";
import type { Health } from "./health.ts";
import { createInTime } from "./in-time.ts";
import { createLocalStores } from "./local-stores.ts";
import { type BucketAccess, createPooledStores } from "./pooled-stores.ts";

/** The stores of one place, and who named it: a tenant's address is followed through a guard alone. */
export type OwnedStores = ByteStores & { readonly owner: Bucket["owner"] };

/** Where the bytes of each video are. */
export type Stores = {
	/**
	 * Returns the stores of videos that are pinned to this profile; `null` stands for the local disk. A key that another
	 * server rotated is used within 2 s.
	 *
	 * @throws {ReelmillError} `storage_unavailable`, here or on use, when a bucket can't do its part now. The failure is
	 * noted with the profile until a use succeeds.
	 */
	of(profileId: string | null): Promise<OwnedStores>;
	/** Closes every bucket once its users are done. A later use opens it again. */
	close(): Promise<void>;
};

export function createStores(
	parts: Parts,
	{
		local,
		buckets,
		locations,
		profiles,
		health,
		sealer,
	}: {
		local: ByteStores;
		buckets: BucketOpener | undefined;
		locations: readonly PlatformLocation[];
		profiles: Profiles;
		health: Health;
		sealer: Sealer;
	},
): Stores {
	const { clock } = parts;
	const inTime = createInTime(clock);
	const own = createLocalStores(local, { clock, inTime });
	const pool = createBucketPool(parts, { buckets: buckets ?? noBuckets });

	/** All domains of one location share its opened bucket. */
	const accessOf = (row: ProfileRow): BucketAccess => ({
		take() {
			const isShared = row.backend === "s3_platform";
			return pool.take(isShared ? `location ${row.location_id}` : row.id, isShared ? 1 : row.revision, () =>
				bucketOf(row, { locations, sealer }),
			);
		},
		worked: () => health.works(row),
		async failed(error) {
			if (!isStorageError(error)) return error;
			await health.fails(row, error);
			return new ReelmillError("storage_unavailable", { cause: error });
		},
	});

	return {
		close: pool.close,
		async of(profileId) {
			if (profileId === null) return { ...own, owner: "platform" };
			const row = await profiles.find(profileId);
			if (row === null) throw new Error(`there is no storage profile ${profileId}`);
			const access = accessOf(row);
			try {
				const handle = access.take();
				const { uploads, outputs } = handle.opened;
				handle.release();
				const owner = row.backend === "s3_platform" ? "platform" : "tenant";
				const able = {
					uploads: uploads.capabilities,
					outputs: outputs.capabilities,
					copies: outputs.copy !== undefined,
					surveysUploads: uploads.survey !== undefined,
					surveysOutputs: outputs.survey !== undefined,
				};
				return { ...createPooledStores(able, access, inTime), owner };
			} catch (error) {
				throw await access.failed(error);
			}
		},
	};
}

/** For an installation without buckets: those that it stored in before can't be reached. */
const noBuckets: BucketOpener = {
	open() {
		throw new StorageError("failed", "This server is set up without access to buckets.");
	},
};
