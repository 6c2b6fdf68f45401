import {
	CompleteMultipartUploadCommand,
	CopyObjectCommand,
	CreateMultipartUploadCommand,
	HeadBucketCommand,
	PutObjectCommand,
	UploadPartCommand,
	UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { isStorageError } from "@reelmill/engine/ports";
import { hasCode, statusOf, storageError } from "./errors.ts";

/** The part of a bucket's client that is needed here. */
type BucketAsker = {
	readonly bucket: { readonly bucket: string };
	send(command: HeadBucketCommand, signal?: AbortSignal): Promise<unknown>;
};

const writes = [
	PutObjectCommand,
	CopyObjectCommand,
	CreateMultipartUploadCommand,
	UploadPartCommand,
	UploadPartCopyCommand,
	CompleteMultipartUploadCommand,
];

/**
 * Whether `error`, the answer to `command`, may mean that the bucket is gone. While a bucket is being removed, servers
 * answer a write with `NoSuchUpload` or `NoSuchKey`: the contents go first.
 */
export const hintsAtMissingBucket = (command: object, error: unknown): boolean =>
	statusOf(error) === 404 && !hasCode(error, "NoSuchBucket") && writes.some((write) => command instanceof write);

/**
 * Checks that the bucket exists. If the key may not ask, the bucket counts as existing.
 *
 * @throws {StorageError} with the fault `bucket` when the bucket doesn't exist, and with another fault when the server
 * doesn't answer.
 */
export async function checkBucketExists(client: BucketAsker, signal?: AbortSignal): Promise<void> {
	try {
		await client.send(new HeadBucketCommand({ Bucket: client.bucket.bucket }), signal);
	} catch (error) {
		// An answer to HEAD has no body, and so no code.
		if (statusOf(error) === 404) throw storageError({ code: "NoSuchBucket", $metadata: { httpStatusCode: 404 } });
		if (statusOf(error) !== 403) throw storageError(error);
	}
}

/**
 * Rejects only if the server says that the bucket doesn't exist. Use it after another failure, which is the one to
 * report otherwise.
 *
 * @throws {StorageError} with the fault `bucket` when the bucket doesn't exist.
 */
export async function throwIfBucketIsGone(client: BucketAsker, signal?: AbortSignal): Promise<void> {
	await checkBucketExists(client, signal).catch((error: unknown) => {
		if (isMissingBucket(error)) throw error;
	});
}

/** Whether `error` is a StorageError that says that the bucket doesn't exist. */
export const isMissingBucket = (error: unknown): boolean => isStorageError(error) && error.fault === "bucket";
