import { randomUUID } from "node:crypto";
import {
	type CompletedPart,
	CompleteMultipartUploadCommand,
	CopyObjectCommand,
	CreateMultipartUploadCommand,
	UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import type { BucketClient } from "./client.ts";
import { createLastLook, sendPatiently } from "./moving-requests.ts";
import { abortMultipart } from "./multiparts.ts";
import { headersOf } from "./output-headers.ts";
import { complete, mark } from "./put-object.ts";
import { must } from "./upload-requests.ts";

/**
 * A server that copies this much without a word has done so within the client's `progressMilliseconds`; S3 itself
 * copies 5 GiB at once at most.
 */
const copyPartBytes = 64 * 1024 * 1024;
const partsAtOnce = 4;
const lastLookMilliseconds = 1000;

/**
 * Stores the object of `from`, of `size` bytes, under `to` within the bucket: nothing of it passes through here.
 * Rejects as a StorageError, and leaves nothing, unless the server says nothing to that either, or does later what it
 * gave no answer to. It may take as long as one part after the other is answered.
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
	const begun = await must(
		client.send(new CreateMultipartUploadCommand({ ...target, ...headersOf(to), Metadata: { [mark]: id } })),
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
		await complete(client, target, new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), {
			id,
			size,
			lastLook,
		});
	} catch (error) {
		await abortMultipart(client, to, begun.UploadId ?? "", lastLook()).catch(() => {});
		throw error;
	}
}
