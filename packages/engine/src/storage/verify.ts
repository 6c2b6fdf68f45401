import { ReelmillError, type StorageVerification } from "@reelmill/contracts";
import { type Bucket, type BucketOpener, type ByteStores, type Clock, isStorageError, type Logger, type Random } from "../ports/index.ts";
import { RoundTripError, roundTrip } from "./round-trip.ts";
import { locationOutOfOrder } from "./view.ts";

/** A storage that takes longer for the whole round trip is as good as none, and the operator waits for it. */
const deadlineMilliseconds = 8000;

export type Verify = {
	local(): Promise<StorageVerification>;
	/** `locationId` is that of a platform's location, null for a tenant's own bucket. */
	bucket(bucket: Bucket, locationId: string | null): Promise<StorageVerification>;
};

/** The round trip, and what its failure is to the tenant: `storage_verification_failed` with the `step`, or `storage_unavailable` for the platform's own location. */
export function createVerify({
	local,
	buckets,
	clock,
	random,
	logger,
}: {
	local: ByteStores;
	buckets: BucketOpener | undefined;
	clock: Clock;
	random: Random;
	logger: Logger;
}): Verify {
	const run = async (stores: ByteStores, follow?: (url: string) => Promise<Uint8Array>): Promise<StorageVerification> => {
		const over = new AbortController();
		const deadline = clock.sleep(deadlineMilliseconds, over.signal).then(() => {
			throw new RoundTripError("connect", "The storage can't be reached: it took more than 8 s for the round trip.", undefined);
		});
		deadline.catch(() => undefined);
		try {
			const steps = await Promise.race([roundTrip(stores, { clock, random, ...(follow && { follow }) }), deadline]);
			return { verified_at: new Date(clock.now()).toISOString(), steps };
		} finally {
			over.abort();
		}
	};
	const failed = (error: unknown): unknown =>
		error instanceof RoundTripError
			? new ReelmillError("storage_verification_failed", { message: error.message, extras: { step: error.step }, cause: error.cause })
			: error;

	return {
		local: () =>
			run(local).catch((error: unknown) => {
				throw failed(error);
			}),
		async bucket(bucket, locationId) {
			if (buckets === undefined) throw new ReelmillError("validation_error", { message: "backend: this server stores on its local disk only." });
			let opened: ReturnType<BucketOpener["open"]> | undefined;
			try {
				const stores = buckets.open(bucket);
				opened = stores;
				return await run(stores, (url) => stores.fetchPresigned(url));
			} catch (error) {
				const cause = isStorageError(error) ? new RoundTripError("connect", `The storage can't be reached: ${error.message}`, error) : error;
				if (locationId === null || !(cause instanceof RoundTripError)) throw failed(cause);
				logger.warn({ locationId, step: cause.step, reason: cause.message }, "a storage location fails its verification");
				throw new ReelmillError("storage_unavailable", { message: locationOutOfOrder(locationId), cause });
			} finally {
				await opened?.close().catch((error: unknown) => logger.warn({ error }, "a bucket could not be closed"));
			}
		},
	};
}
