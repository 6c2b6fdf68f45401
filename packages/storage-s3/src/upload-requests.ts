import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import type { Checked } from "./body-sum.ts";
import type { BucketClient } from "./client.ts";
import { hasCode, storageError } from "./errors.ts";
import { sendContent } from "./moving-requests.ts";

/** What the server answers; null where it answers with one of `codes`. Any other error rejects as a StorageError. */
export async function ask<Output>(request: Promise<Output>, ...codes: readonly string[]): Promise<Output | null> {
	try {
		return await request;
	} catch (error) {
		if (codes.some((code) => hasCode(error, code))) return null;
		throw storageError(error);
	}
}

/** As `ask`, for what may not be missing. */
export async function must<Output>(request: Promise<Output>): Promise<Output> {
	return request.catch((error: unknown) => {
		throw storageError(error);
	});
}

/** Stores an object that fits into one request. The server refuses bytes that aren't those of the sum. */
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
 * Stores a part, or puts it in the place of the one that has its number. The server refuses bytes that aren't those of
 * the sum. Given up once `stop` aborts.
 */
export async function sendPart(
	client: BucketClient,
	key: string,
	multipart: string,
	number: number,
	content: Checked,
	stop?: AbortSignal,
): Promise<Part> {
	const upload = new UploadPartCommand({
		Bucket: client.bucket.bucket,
		Key: key,
		UploadId: multipart,
		PartNumber: number,
		Body: content.bytes,
	});
	const { ETag } = await sendContent(client, upload, content, stop);
	return { number, etag: ETag ?? "" };
}

export async function removeKey(client: BucketClient, key: string): Promise<void> {
	await ask(client.send(new DeleteObjectCommand({ Bucket: client.bucket.bucket, Key: key })), "NoSuchKey");
}

/** The object's size, entity tag and metadata; null where there is none. */
export async function headOf(
	client: BucketClient,
	key: string,
	stop?: AbortSignal,
): Promise<{ size: number; etag: string; metadata: Record<string, string> } | null> {
	const found = await ask(
		client.send(new HeadObjectCommand({ Bucket: client.bucket.bucket, Key: key }), stop),
		"NotFound",
		"NoSuchKey",
	);
	return found && { size: found.ContentLength ?? 0, etag: found.ETag ?? "", metadata: found.Metadata ?? {} };
}

/** An entity tag without its quotes. */
export const bare = (etag: string): string => etag.replaceAll('"', "");
