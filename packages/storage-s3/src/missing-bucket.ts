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
 * Whether `error`, the answer to `command`, may mean that the bucket is gone although it names something else. While a
 * bucket is being removed, servers tell a writer `NoSuchUpload` or `NoSuchKey`: its contents go first.
 */
export const hintsAtMissingBucket = (command: object, error: unknown): boolean =>
	statusOf(error) === 404 && !hasCode(error, "NoSuchBucket") && writes.some((write) => command instanceof write);

/**
 * Checks that the bucket exists. A server that doesn't let this key ask counts as a server that has the bucket.
 *
 * @throws {StorageError} with the fault `bucket` when there is no such bucket, or with another fault when the server
 * doesn't say.
 */
export async function checkBucketExists(client: BucketAsker, stop?: AbortSignal): Promise<void> {
	try {
		await client.send(new HeadBucketCommand({ Bucket: client.bucket.bucket }), stop);
	} catch (error) {
		// An answer to HEAD has no body, and so no code.
		if (statusOf(error) === 404) throw storageError({ code: "NoSuchBucket", $metadata: { httpStatusCode: 404 } });
		if (statusOf(error) !== 403) throw storageError(error);
	}
}

/**
 * Rejects only if the server says that the bucket is gone, as `checkBucketExists` does. For a look after another
 * failure, which is to be told otherwise.
 */
export async function throwIfBucketIsGone(client: BucketAsker, stop?: AbortSignal): Promise<void> {
	await checkBucketExists(client, stop).catch((error: unknown) => {
		if (isMissingBucket(error)) throw error;
	});
}

/** Whether `error` is a StorageError that says that the bucket isn't there. */
export const isMissingBucket = (error: unknown): boolean => isStorageError(error) && error.fault === "bucket";
