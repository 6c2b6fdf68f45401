import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import { pageEntries } from "./capped-answers.ts";
import type { BucketClient } from "./client.ts";
import { ask, must } from "./upload-requests.ts";

/** Aborts a multipart upload; one that isn't there is fine. Rejects as a StorageError, also when `stop` aborts. */
export async function abortMultipart(
	client: BucketClient,
	key: string,
	multipart: string,
	stop?: AbortSignal,
): Promise<void> {
	const abort = new AbortMultipartUploadCommand({ Bucket: client.bucket.bucket, Key: key, UploadId: multipart });
	await ask(client.send(abort, stop), "NoSuchUpload", "NoSuchKey");
}

const mostPages = 400;

/**
 * Aborts every multipart upload whose key begins with `prefix` and is meant, those included that nobody remembers:
 * their start's answer was lost.
 */
export async function abortMultiparts(
	client: BucketClient,
	prefix: string,
	isMeant: (key: string) => boolean = () => true,
): Promise<void> {
	for (let pages = 0; pages < mostPages; pages++) {
		const page = await must(
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
