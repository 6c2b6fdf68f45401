import { randomUUID } from "node:crypto";
import {
	type CompletedPart,
	CompleteMultipartUploadCommand,
	CopyObjectCommand,
	CreateMultipartUploadCommand,
	UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { abortMultipart } from "../client/abort-multiparts.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import { createLastLook } from "../client/last-look.ts";
import { sendPatiently } from "../client/long-requests.ts";
import { answerOrStorageError } from "../client/object-requests.ts";
import { completeObject, putMark } from "./complete-object.ts";
import { headersOf } from "./output-headers.ts";

/**
 * A server copies this much within the client's `progressMilliseconds`, even if it says nothing meanwhile. S3 itself
 * copies at most 5 GiB at once.
 */
const copyPartBytes = 64 * 1024 * 1024;
const partsAtOnce = 4;
const lastLookMilliseconds = 1000;

/**
 * Copies the object `from`, of `size` bytes, to `to` within the bucket. No bytes pass through this process. It may take
 * as long as one part after another is answered.
 *
 * @throws {StorageError} when the copy fails; nothing is left then, unless the server doesn't answer the clean-up
 * either, or carries out later what it didn't answer.
 */
export async function copyObject(client: BucketClient, from: string, to: string, size: number): Promise<void> {
	const Bucket = client.bucket.bucket;
	const target = { Bucket, Key: to };
	const source = { CopySource: `${Bucket}/${from}` };
	if (size <= copyPartBytes) {
		await sendPatiently(
			client,
			new CopyObjectCommand({ ...target, ...source, ...headersOf(to), MetadataDirective: "REPLACE" }),
		);
		return;
	}
	const id = randomUUID();
	const begun = await answerOrStorageError(
		client.send(new CreateMultipartUploadCommand({ ...target, ...headersOf(to), Metadata: { [putMark]: id } })),
	);
	const upload = { ...target, UploadId: begun.UploadId };
	const lastLook = createLastLook(lastLookMilliseconds);
	try {
		const Parts: CompletedPart[] = [];
		for (let at = 0; at < size; at += copyPartBytes * partsAtOnce) {
			const starts = Array.from({ length: partsAtOnce }, (_, index) => at + index * copyPartBytes).filter(
				(start) => start < size,
			);
			const copied = starts.map(async (start) => {
				const PartNumber = start / copyPartBytes + 1;
				const CopySourceRange = `bytes=${start}-${Math.min(start + copyPartBytes, size) - 1}`;
				const { CopyPartResult } = await sendPatiently(
					client,
					new UploadPartCopyCommand({ ...upload, ...source, PartNumber, CopySourceRange }),
				);
				return { PartNumber, ETag: CopyPartResult?.ETag };
			});
			const settled = await Promise.allSettled(copied);
			for (const each of settled) {
				if (each.status === "rejected") throw each.reason;
				Parts.push(each.value);
			}
		}
		await completeObject(
			client,
			target,
			new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }),
			{
				id,
				size,
				lastLook,
			},
		);
	} catch (error) {
		await abortMultipart(client, to, begun.UploadId ?? "", lastLook()).catch(() => {});
		throw error;
	}
}
