import { type ByteStores, isStorageError, type StorageError } from "@reelmill/engine/ports";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket, type TestServer } from "@reelmill/storage-s3/testing";
import { patience } from "./patience.ts";

export type Faulty = {
	readonly proxy: FaultProxy;
	readonly bucket: TestBucket;
	/** The stores through the proxy. */
	readonly through: ByteStores;
	/** The stores without the proxy: what is really there. */
	readonly direct: ByteStores;
	close(): Promise<void>;
};

/**
 * Opens a new bucket with a fault proxy in front of it. Use `remove: false` if the test removes the bucket itself. Give
 * short times for a test of silence only: also what succeeds must be answered within them.
 */
export async function openFaulty(
	server: TestServer,
	{
		remove = true,
		keyPrefix = "",
		idleMilliseconds = patience.idleTimeoutMilliseconds,
		progressMilliseconds = patience.progressTimeoutMilliseconds,
		answerMilliseconds = patience.answerTimeoutMilliseconds,
		attempts = 5,
	} = {},
): Promise<Faulty> {
	const bucket = await createTestBucket(server);
	const proxy = await openFaultProxy({ target: server.endpoint });
	const opener = createBucketOpener({
		allow: [],
		idleTimeoutMilliseconds: idleMilliseconds,
		progressTimeoutMilliseconds: progressMilliseconds,
		answerTimeoutMilliseconds: answerMilliseconds,
		attempts,
	});
	const through = opener.open({ ...bucket.bucket, keyPrefix, endpoint: proxy.url });
	const direct = createBucketOpener({ allow: [], ...patience }).open({ ...bucket.bucket, keyPrefix });
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
