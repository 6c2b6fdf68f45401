import { ReelmillError, type StorageVerification, type StorageWarning } from "@reelmill/contracts";
import { type Bucket, type BucketOpener, type ByteStores, isStorageError } from "../../ports/index.ts";
import { type Parts, within } from "../../system/index.ts";
import { locationOutOfOrder } from "../profiles/view.ts";
import { type Follow, findWarnings, type Probe, type PublicAddresses } from "./access-warnings.ts";
import { RoundTripError, roundTrip } from "./round-trip.ts";

/** A storage that takes longer for the whole round trip is of no use, and the operator waits for the answer. */
const deadlineMilliseconds = 8000;

export type Verify = {
	local(): Promise<StorageVerification>;
	/**
	 * Verifies a bucket. `locationId` is that of a platform's location, `null` for a tenant's own bucket. With
	 * `publicBaseUrl` (`null` if there is none), it also looks at what those without a key may read.
	 */
	bucket(
		bucket: Bucket,
		locationId: string | null,
		looking?: { readonly publicBaseUrl: string | null },
	): Promise<StorageVerification>;
};

/**
 * Runs round trips and says what their failure is to the tenant: `storage_verification_failed` with the `step`, or
 * `storage_unavailable` for the platform's own location.
 */
export function createVerify(
	{ clock, random, logger }: Parts,
	{ local, buckets }: { local: ByteStores; buckets: BucketOpener | undefined },
): Verify {
	const run = async (
		stores: ByteStores,
		follow?: Follow,
		at?: PublicAddresses | null,
	): Promise<StorageVerification> => {
		let warnings: StorageWarning[] = [];
		const look = async (probe: Probe): Promise<void> => {
			if (follow && at !== undefined) warnings = await findWarnings(stores, probe, { follow, at, clock });
		};
		const trip = roundTrip(stores, { clock, random, look, ...(follow && { follow }) });
		const { steps, checks } = await within(clock, deadlineMilliseconds, trip, () => {
			throw new RoundTripError(
				"connect",
				"The storage can't be reached: it took more than 8 s for the round trip.",
				undefined,
			);
		});
		return { verified_at: new Date(clock.now()).toISOString(), steps, checks, warnings, advice: [] };
	};
	const failed = (error: unknown): unknown =>
		error instanceof RoundTripError
			? new ReelmillError("storage_verification_failed", {
					message: error.message,
					extras: {
						step: error.step,
						checks: error.checks,
						provider_said: isStorageError(error.cause) ? (error.cause.providerSaid ?? null) : null,
						advice: [],
					},
					cause: error.cause,
				})
			: error;

	return {
		local: () =>
			run(local).catch((error: unknown) => {
				throw failed(error);
			}),
		async bucket(bucket, locationId, looking) {
			if (buckets === undefined)
				throw new ReelmillError("validation_error", { message: "backend: this server stores on its local disk only." });
			let opened: ReturnType<BucketOpener["open"]> | undefined;
			try {
				const stores = buckets.open(bucket);
				opened = stores;
				const verified = await run(
					stores,
					(url) => stores.fetchPresigned(url),
					looking && addressesOf(bucket, looking.publicBaseUrl),
				);
				if (locationId !== null && verified.warnings.length > 0) {
					logger.warn(
						{ locationId, warnings: verified.warnings },
						"a storage location is open to those without a key, or closed to viewers",
					);
				}
				return verified;
			} catch (error) {
				const cause = isStorageError(error)
					? new RoundTripError("connect", `The storage can't be reached: ${error.message}`, error)
					: error;
				if (locationId === null || !(cause instanceof RoundTripError)) throw failed(cause);
				logger.warn(
					{ locationId, step: cause.step, reason: cause.message },
					"a storage location fails its verification",
				);
				throw new ReelmillError("storage_unavailable", { message: locationOutOfOrder(locationId), cause });
			} finally {
				await opened?.close().catch((error: unknown) => logger.warn({ error }, "a bucket could not be closed"));
			}
		},
	};
}

function addressesOf({ keyPrefix }: Bucket, publicBaseUrl: string | null): PublicAddresses | null {
	if (publicBaseUrl === null) return null;
	const root = publicBaseUrl.replace(/(?<!\/)\/+$/, "");
	return { root, prefix: keyPrefix === "" ? root : `${root}/${keyPrefix}` };
}
