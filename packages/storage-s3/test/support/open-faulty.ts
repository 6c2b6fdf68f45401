import { type ByteStores, isStorageError, type StorageError } from "@reelmill/engine/ports";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket, type TestServer } from "@reelmill/storage-s3/testing";

export type Faulty = {
	readonly proxy: FaultProxy;
	readonly bucket: TestBucket;
	/** The stores through the proxy. */
	readonly through: ByteStores;
	/** The stores without the proxy: what is really there. */
	readonly direct: ByteStores;
	close(): Promise<void>;
};

/** For tests without a silent server: a busy machine may pause for longer than a test of silence waits. */
export const patient = { idleMilliseconds: 60_000, progressMilliseconds: 60_000 };

/**
 * Opens a new bucket with a fault proxy in front of it. Use `remove: false` if the test removes the bucket itself. By
 * default, silence is given up so soon that a test can wait for it.
 */
export async function openFaulty(
	server: TestServer,
	{ remove = true, keyPrefix = "", idleMilliseconds = 500, progressMilliseconds = 6000, attempts = 5 } = {},
): Promise<Faulty> {
	const bucket = await createTestBucket(server);
	const proxy = await openFaultProxy({ target: server.endpoint });
	const opener = createBucketOpener({
		allow: [],
		idleTimeoutMilliseconds: idleMilliseconds,
		progressTimeoutMilliseconds: progressMilliseconds,
		attempts,
	});
	const through = opener.open({ ...bucket.bucket, keyPrefix, endpoint: proxy.url });
	const direct = createBucketOpener({ allow: [] }).open({ ...bucket.bucket, keyPrefix });
	return {
		proxy,
		bucket,
		through,
		direct,
		async close() {
			await proxy.close();
			await Promise.all([through.close(), direct.close()]);
			if (remove) await bucket.remove();
		},
	};
}

/** Returns the StorageError with which `attempt` rejects. Any other outcome fails the test. */
export async function storageFailure(attempt: Promise<unknown>): Promise<StorageError> {
	const outcome = await attempt.then(
		(value) => new Error(`resolved with ${String(value)}`),
		(error: unknown) => error,
	);
	if (isStorageError(outcome)) return outcome;
	throw outcome;
}
