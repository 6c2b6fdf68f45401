import { randomUUID } from "node:crypto";
import { GetObjectCommand, ListPartsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import { type Checked, sumOf } from "../client/body-sum.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import { pageEntries } from "../client/capped-answers.ts";
import { hasCode, storageError } from "../client/errors.ts";
import { checkBucketExists } from "../client/missing-bucket.ts";
import { answerOrNull, answerOrStorageError, headOf, type Part, putChecked } from "../client/object-requests.ts";
import { infoKey, tailKey } from "./upload-keys.ts";

/**
 * S3 takes no smaller part except the last, and R2 requires equal ones. A running append holds four of them in memory,
 * and TLS copies those that it sends.
 */
const partBytes = 5 * 1024 * 1024;
/** The largest part size of an upload that another version began. */
const largestPartBytes = 4 * partBytes;
/** No server takes more parts. */
export const mostParts = 10_000;

/**
 * An upload that exists. A generation begins with each `create` and ends with a `discard`; bytes of different
 * generations are never mixed.
 */
export type Upload = { readonly id: string; readonly generation: string; readonly partBytes: number };

/** How far an upload has come. */
export type Progress = {
	/** How many bytes there are from the first one on, without a gap. */
	readonly size: number;
	/** Whether all bytes are in one object, under the upload's id. */
	readonly whole: boolean;
	/** The multipart upload that takes the parts; null before the first part. */
	readonly multipart: string | null;
	/** The full parts, without a gap. */
	readonly parts: readonly Part[];
	/**
	 * The numbers of parts that lie behind a gap, or that would make the upload whole. Nobody was told of their bytes.
	 */
	readonly beyond: readonly number[];
	/** Where the tail's bytes begin. */
	readonly tailStart: number;
};

/** Finds an upload; null if there is none. */
export async function findUpload(client: BucketClient, id: string, signal?: AbortSignal): Promise<Upload | null> {
	const found = await answerOrNull(
		client.send(new GetObjectCommand({ Bucket: client.bucket.bucket, Key: infoKey(id) }), signal),
		"NoSuchKey",
	);
	if (found === null) return null;
	const { generation, "part-bytes": bytes } = found.Metadata ?? {};
	if (found.ContentLength === 0)
		await answerOrStorageError(found.Body?.transformToByteArray() ?? Promise.resolve(new Uint8Array()));
	else (found.Body as { destroy?(): void } | undefined)?.destroy?.();
	if (generation === undefined || bytes === undefined) return null;
	if (!(Number(bytes) >= 1 && Number(bytes) <= largestPartBytes))
		throw new StorageError("failed", "The upload has parts of a size that no upload has");
	return { id, generation, partBytes: Number(bytes) };
}

/**
 * Begins an upload if there is none. If two callers begin it at once, servers that know `If-None-Match` let one of them
 * win. On other servers the later one wins; neither has bytes yet.
 */
export async function beginUpload(client: BucketClient, id: string): Promise<void> {
	if (await findUpload(client, id)) return;
	const info = {
		Bucket: client.bucket.bucket,
		Key: infoKey(id),
		Body: new Uint8Array(),
		Metadata: { generation: randomUUID(), "part-bytes": String(partBytes) },
	};
	try {
		await client.send(new PutObjectCommand({ ...info, IfNoneMatch: "*" }));
	} catch (error) {
		if (hasCode(error, "PreconditionFailed") || hasCode(error, "ConditionalRequestConflict")) return;
		if (!hasCode(error, "NotImplemented")) throw storageError(error);
		await answerOrStorageError(client.send(new PutObjectCommand(info)));
	}
}

/**
 * Reads from the bucket alone how far an upload has come. The object is looked for last: once it is there, the parts
 * and the tail are removed. If nothing is found, the bucket itself is looked for, because HEAD answers 404 for a
 * missing bucket, too.
 */
export async function progressOf(client: BucketClient, upload: Upload): Promise<Progress> {
	const tail = await headOf(client, tailKey(upload.id, upload.generation));
	const { multipart = "", base = "0", limit = "0" } = tail?.metadata ?? {};
	const listed = multipart === "" ? null : await listParts(client, upload.id, multipart);
	const object = await headOf(client, upload.id);
	if (object && object.metadata["generation"] === upload.generation) {
		return { size: object.size, whole: true, multipart: null, parts: [], beyond: [], tailStart: object.size };
	}
	const hasBytes = object !== null || listed !== null || (tail !== null && multipart === "");
	if (!hasBytes) await checkBucketExists(client);
	const parts: Part[] = [];
	const beyond: number[] = [];
	for (const { number, etag, size } of listed ?? []) {
		const gapless =
			number === parts.length + 1 && size === upload.partBytes && number * upload.partBytes < Number(limit);
		if (gapless) parts.push({ number, etag });
		else if (size > 0) beyond.push(number);
	}
	const inParts = parts.length * upload.partBytes;
	const tailStart = Number(base);
	const withTail = tail && tailStart <= inParts ? tailStart + tail.size : 0;
	return { size: Math.max(inParts, withTail), whole: false, multipart: listed && multipart, parts, beyond, tailStart };
}

/** Lists the parts in order of their numbers; null if the server doesn't know the multipart upload, or not any more. */
async function listParts(
	client: BucketClient,
	key: string,
	multipart: string,
): Promise<readonly (Part & { readonly size: number })[] | null> {
	const parts: (Part & { readonly size: number })[] = [];
	for (let marker: string | undefined; ; ) {
		const from = marker === undefined ? {} : { PartNumberMarker: marker };
		const command = new ListPartsCommand({
			Bucket: client.bucket.bucket,
			Key: key,
			UploadId: multipart,
			MaxParts: pageEntries,
			...from,
		});
		const page = await answerOrNull(client.send(command), "NoSuchUpload", "NoSuchKey");
		if (page === null) return null;
		for (const { PartNumber = 0, ETag = "", Size = 0 } of page.Parts ?? [])
			parts.push({ number: PartNumber, etag: ETag, size: Size });
		if (parts.length > mostParts || (page.IsTruncated && (page.Parts ?? []).length === 0))
			throw new StorageError("failed", "The server lists parts without end");
		marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
		if (marker === undefined) return parts.sort((one, other) => one.number - other.number);
	}
}

export type Tail = { readonly base: number; readonly multipart: string | null; readonly limit: number };

/** Replaces the tail in one step: every reader finds either the old one or the new one. */
export async function putTail(
	client: BucketClient,
	upload: Upload,
	{ base, multipart, limit }: Tail,
	content: Checked,
): Promise<void> {
	await putChecked(client, tailKey(upload.id, upload.generation), content, {
		base: String(base),
		multipart: multipart ?? "",
		limit: String(limit),
		[content.by]: content.sum.toString("hex"),
	});
}

/**
 * Reads the tail's bytes, and checks them by the checksum that was stored with them. Rejects if the server has more
 * than a part.
 */
export async function readTail(client: BucketClient, upload: Upload): Promise<Uint8Array> {
	const key = tailKey(upload.id, upload.generation);
	const found = await answerOrStorageError(
		client.send(new GetObjectCommand({ Bucket: client.bucket.bucket, Key: key })),
	);
	if (found.ContentLength === undefined || found.ContentLength > upload.partBytes) {
		(found.Body as { destroy?(): void } | undefined)?.destroy?.();
		throw new StorageError("failed", "The server has more bytes than a part can have");
	}
	const bytes = await answerOrStorageError(found.Body?.transformToByteArray() ?? Promise.resolve(new Uint8Array()));
	const { sha256, md5 } = found.Metadata ?? {};
	if ((sha256 ?? md5) !== sumOf(bytes, sha256 === undefined ? "md5" : "sha256").toString("hex")) {
		throw new StorageError("failed", "The bytes that were read aren't those that were stored");
	}
	return bytes;
}
