import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import type { Checked } from "./body-sum.ts";
import type { BucketClient } from "./bucket-client.ts";
import { hasCode, storageError } from "./errors.ts";
import { sendContent } from "./long-requests.ts";

/**
 * Returns the answer, or null if its error code is one of `codes`.
 *
 * @throws {StorageError} when the request fails otherwise.
 */
export async function answerOrNull<Output>(
	request: Promise<Output>,
	...codes: readonly string[]
): Promise<Output | null> {
	try {
		return await request;
	} catch (error) {
		if (codes.some((code) => hasCode(error, code))) return null;
		throw storageError(error);
	}
}

/**
 * Returns the answer.
 *
 * @throws {StorageError} when the request fails.
 */
export async function answerOrStorageError<Output>(request: Promise<Output>): Promise<Output> {
	return request.catch((error: unknown) => {
		throw storageError(error);
	});
}

/** Stores an object that fits into one request. The server refuses bytes that don't match the checksum. */
export async function putChecked(
	client: BucketClient,
	key: string,
	content: Checked,
	metadata: Record<string, string>,
): Promise<void> {
	const put = new PutObjectCommand({ Bucket: client.bucket.bucket, Key: key, Body: content.bytes, Metadata: metadata });
	await sendContent(client, put, content);
}

/** A part's number, and the entity tag by which the server knows its bytes. */
export type Part = { readonly number: number; readonly etag: string };

/**
 * Stores a part, or replaces the one of the same number. The server refuses bytes that don't match the checksum. Gives
 * up when `signal` aborts.
 */
export async function sendPart(
	client: BucketClient,
	key: string,
	multipart: string,
	number: number,
	content: Checked,
	signal?: AbortSignal,
): Promise<Part> {
	const upload = new UploadPartCommand({
		Bucket: client.bucket.bucket,
		Key: key,
		UploadId: multipart,
		PartNumber: number,
		Body: content.bytes,
	});
	const { ETag } = await sendContent(client, upload, content, signal);
	return { number, etag: ETag ?? "" };
}

export async function removeKey(client: BucketClient, key: string): Promise<void> {
	await answerOrNull(client.send(new DeleteObjectCommand({ Bucket: client.bucket.bucket, Key: key })), "NoSuchKey");
}

/**
 * Returns the object's size, entity tag and metadata; null if the server answers 404, for which a missing bucket is a
 * reason, too.
 */
export async function headOf(
	client: BucketClient,
	key: string,
	signal?: AbortSignal,
): Promise<{ size: number; etag: string; metadata: Record<string, string> } | null> {
	const found = await answerOrNull(
		client.send(new HeadObjectCommand({ Bucket: client.bucket.bucket, Key: key }), signal),
		"NotFound",
		"NoSuchKey",
	);
	return found && { size: found.ContentLength ?? 0, etag: found.ETag ?? "", metadata: found.Metadata ?? {} };
}

/** Returns an entity tag without its quotes. */
export const withoutQuotes = (etag: string): string => etag.replaceAll('"', "");
