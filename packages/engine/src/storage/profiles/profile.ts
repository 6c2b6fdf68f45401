import type { StorageBackend } from "@reelmill/contracts";
import { type Bucket, type BucketCredentials, StorageError, type StorageFault } from "../../ports/index.ts";
import type { Sealer } from "../../secrets/index.ts";
import type { PlatformLocation } from "./locations.ts";

/** A row of `reelmill.storage_profiles`. */
export type ProfileRow = {
	readonly id: string;
	readonly domain_id: string;
	readonly backend: Exclude<StorageBackend, "local">;
	readonly location_id: string | null;
	readonly endpoint: string | null;
	readonly region: string | null;
	readonly bucket: string | null;
	readonly key_prefix: string | null;
	readonly force_path_style: boolean | null;
	readonly access_key_id: string | null;
	/** Sealed under the master key. */
	readonly secret: string | null;
	readonly public_base_url: string | null;
	readonly revision: number;
	readonly last_error: string | null;
	readonly last_fault: StorageFault | null;
	readonly last_verified_at: Date | null;
};

/**
 * Returns the bucket of a profile.
 *
 * @throws {StorageError} when the installation no longer has what the profile stands on.
 */
export function bucketOf(
	row: ProfileRow,
	{ locations, sealer }: { locations: readonly PlatformLocation[]; sealer: Sealer },
): Bucket {
	if (row.backend === "s3_platform") {
		const location = locations.find(({ id }) => id === row.location_id);
		if (location === undefined)
			throw new StorageError("failed", `This installation no longer has the storage location ${row.location_id}.`);
		return location.bucket;
	}
	return tenantBucket(row, { id: row.access_key_id ?? "", secret: openSecret(row.secret ?? "", sealer) });
}

/**
 * Returns a tenant's bucket. Profiles of tenants speak of S3 alone: here their words become a place, credentials and
 * the options of S3's adapter.
 */
export const tenantBucket = (
	place: Pick<ProfileRow, "endpoint" | "region" | "bucket" | "key_prefix" | "force_path_style">,
	credentials: BucketCredentials,
): Bucket => ({
	owner: "tenant",
	protocol: "s3",
	endpoint: place.endpoint,
	publicEndpoint: null,
	bucket: place.bucket ?? "",
	keyPrefix: trimSlashes(place.key_prefix ?? ""),
	credentials,
	options: { region: place.region ?? "", forcePathStyle: place.force_path_style ?? false },
});

/** Removes slashes at both ends. */
export const trimSlashes = (path: string): string => path.replace(/^\/+|(?<!\/)\/+$/g, "");

export function openSecret(sealed: string, sealer: Sealer): string {
	try {
		return sealer.open(sealed);
	} catch (cause) {
		throw new StorageError(
			"credentials",
			"The stored secret can't be opened: this installation's master key is another one than when it was stored.",
			{
				cause,
			},
		);
	}
}
