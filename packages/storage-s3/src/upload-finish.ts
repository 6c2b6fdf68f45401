import { createHash } from "node:crypto";
import { CompleteMultipartUploadCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import type { BucketClient } from "./client.ts";
import { storageError } from "./errors.ts";
import { throwIfBucketIsGone } from "./missing-bucket.ts";
import { sendPatiently } from "./moving-requests.ts";
import { abortMultipart } from "./multiparts.ts";
import { tailKey } from "./upload-keys.ts";
import { bare, headOf, type Part, removeKey } from "./upload-requests.ts";
import type { Upload } from "./upload-state.ts";

export type Completion = {
	readonly multipart: string;
	/** All parts, in order. */
	readonly parts: readonly Part[];
	readonly size: number;
	/**
	 * Whether the server's entity tags are the MD5 sums of the parts, as S3's are but for some kinds of encryption. The
	 * whole object's is then known beforehand.
	 */
	readonly byMd5: boolean;
	/** Ends a look at what came of a completion that failed: whoever waits has waited for long by then. */
	readonly lastLook: () => AbortSignal;
};

/**
 * Makes one object of the parts, and looks at what came of it: the answer alone says too little. A lost one leaves the
 * object and an error; Ceph answers 200 for a multipart upload that it doesn't know if there is any object of the key,
 * and 500 if there is none.
 *
 * A server that says nothing over it for too long goes on by itself: who asks later finds what came of it.
 *
 * @throws StorageError when there is no object, or one of other bytes, which is removed.
 */
export async function completeUpload(
	client: BucketClient,
	upload: Upload,
	{ multipart, parts, size, byMd5, lastLook }: Completion,
): Promise<void> {
	const command = new CompleteMultipartUploadCommand({
		Bucket: client.bucket.bucket,
		Key: upload.id,
		UploadId: multipart,
		MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
	});
	let failure: StorageError | undefined;
	await sendPatiently(client, command).catch((error: unknown) => {
		failure = storageError(error);
	});
	const object = await headOf(client, upload.id, failure && lastLook()).catch((error: unknown) => {
		throw failure ?? error;
	});
	if (object === null) await throwIfBucketIsGone(client, lastLook());
	if (object?.metadata["generation"] !== upload.generation)
		throw failure ?? new StorageError("failed", "The server said that the upload is complete, but there is no object");
	if (object.size === size && (!byMd5 || bare(object.etag) === wholeTag(parts))) return;
	await removeKey(client, upload.id);
	throw new StorageError("failed", "The object isn't made of the bytes that were sent; it was removed");
}

/** The entity tag that S3 gives an object of these parts: the MD5 of their MD5s, and their number. */
function wholeTag(parts: readonly Part[]): string {
	const hash = createHash("md5");
	for (const { etag } of parts) hash.update(Buffer.from(bare(etag), "hex"));
	return `${hash.digest("hex")}-${parts.length}`;
}

/** Removes what a generation wrote after it had been discarded. */
export async function undo(client: BucketClient, upload: Upload, multipart: string | null): Promise<void> {
	if (multipart !== null) await abortMultipart(client, upload.id, multipart);
	await removeKey(client, tailKey(upload.id, upload.generation));
	const object = await headOf(client, upload.id);
	if (object?.metadata["generation"] === upload.generation) await removeKey(client, upload.id);
}
