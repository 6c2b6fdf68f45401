import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import type { BucketClient } from "./bucket-client.ts";
import { pageEntries } from "./capped-answers.ts";
import { answerOrNull, answerOrStorageError } from "./object-requests.ts";

/**
 * Aborts a multipart upload. Does nothing if there is none.
 *
 * @throws {StorageError} when the server refuses or doesn't answer, and when `signal` aborts.
 */
export async function abortMultipart(
	client: BucketClient,
	key: string,
	multipart: string,
	signal?: AbortSignal,
): Promise<void> {
	const abort = new AbortMultipartUploadCommand({ Bucket: client.bucket.bucket, Key: key, UploadId: multipart });
	await answerOrNull(client.send(abort, signal), "NoSuchUpload", "NoSuchKey");
}

const mostPages = 400;

/**
 * Aborts every multipart upload whose key begins with `prefix` and satisfies `isMeant`. This includes uploads that
 * nobody knows because the answer to their start was lost.
 */
export async function abortMultiparts(
	client: BucketClient,
	prefix: string,
	isMeant: (key: string) => boolean = () => true,
): Promise<void> {
	for (let pages = 0; pages < mostPages; pages++) {
		const page = await answerOrStorageError(
			client.send(
				new ListMultipartUploadsCommand({ Bucket: client.bucket.bucket, Prefix: prefix, MaxUploads: pageEntries }),
			),
		);
		const found = (page.Uploads ?? []).filter(
			(each): each is { Key: string; UploadId: string } => !!each.Key && !!each.UploadId && isMeant(each.Key),
		);
		for (const { Key, UploadId } of found) await abortMultipart(client, Key, UploadId);
		if (!page.IsTruncated || found.length === 0) return;
	}
	throw new StorageError("failed", "The server lists multipart uploads without end");
}
