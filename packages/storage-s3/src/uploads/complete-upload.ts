import { createHash } from "node:crypto";
import { CompleteMultipartUploadCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import { abortMultipart } from "../client/abort-multiparts.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import { storageError } from "../client/errors.ts";
import { sendPatiently } from "../client/long-requests.ts";
import { throwIfBucketIsGone } from "../client/missing-bucket.ts";
import { headOf, type Part, removeKey, withoutQuotes } from "../client/object-requests.ts";
import { tailKey } from "./upload-keys.ts";
import type { Upload } from "./upload-state.ts";

export type Completion = {
	readonly multipart: string;
	/** All parts, in order. */
	readonly parts: readonly Part[];
	readonly size: number;
	/**
	 * Whether the server's entity tags are the MD5 sums of the parts, as S3's are except for some kinds of encryption.
	 * The whole object's entity tag is then known beforehand.
	 */
	readonly byMd5: boolean;
	/** Ends the look at a failed completion's result: the caller has waited for long by then. */
	readonly lastLook: () => AbortSignal;
};

/**
 * Makes one object of the parts, and looks at the result, because the answer alone says too little. If the answer is
 * lost, the object is there and the request fails. For a multipart upload that it doesn't know, Ceph answers 200 if any
 * object has the key, and 500 otherwise.
 *
 * A server that stays silent for too long may still finish: the next caller finds the result.
 *
 * @throws {StorageError} when there is no object, or when it has other bytes; such an object is removed.
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
	if (object.size === size && (!byMd5 || withoutQuotes(object.etag) === wholeTag(parts))) return;
	await removeKey(client, upload.id);
	throw new StorageError("failed", "The object isn't made of the bytes that were sent; it was removed");
}

/** Returns the entity tag that S3 gives an object of these parts: the MD5 of their MD5s, and their number. */
function wholeTag(parts: readonly Part[]): string {
	const hash = createHash("md5");
	for (const { etag } of parts) hash.update(Buffer.from(withoutQuotes(etag), "hex"));
	return `${hash.digest("hex")}-${parts.length}`;
}

/** Removes what a generation wrote after it was discarded. */
export async function undo(client: BucketClient, upload: Upload, multipart: string | null): Promise<void> {
	if (multipart !== null) await abortMultipart(client, upload.id, multipart);
	await removeKey(client, tailKey(upload.id, upload.generation));
	const object = await headOf(client, upload.id);
	if (object?.metadata["generation"] === upload.generation) await removeKey(client, upload.id);
}
