import { randomUUID } from "node:crypto";
import { GetObjectCommand, ListPartsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import { type Checked, sumOf } from "./body-sum.ts";
import { pageEntries } from "./capped-answers.ts";
import type { BucketClient } from "./client.ts";
import { hasCode, storageError } from "./errors.ts";
import { checkBucketExists } from "./missing-bucket.ts";
import { infoKey, tailKey } from "./upload-keys.ts";
import { ask, headOf, must, type Part, putChecked } from "./upload-requests.ts";

/**
 * S3 takes no smaller part but the last, and R2 wants all others equal. Four of them are in memory per running append,
 * and TLS copies those that it sends.
 */
const partBytes = 5 * 1024 * 1024;
/** What an upload that another version began may have. */
const largestPartBytes = 4 * partBytes;
/** More parts than these no server takes. */
export const mostParts = 10_000;

/**
 * An upload that is there. What a generation writes can't be taken for another's: one begins with each `create`, and
 * ends with a `discard`.
 */
export type Upload = { readonly id: string; readonly generation: string; readonly partBytes: number };

/** How far an upload has come. */
export type Progress = {
	/** Bytes without a gap from the first on. */
	readonly size: number;
	/** Whether they are in one piece, under the upload's id. */
	readonly whole: boolean;
	/** The multipart upload that takes the parts; null before the first. */
	readonly multipart: string | null;
	/** The full parts without a gap. */
	readonly parts: readonly Part[];
	/**
	 * Numbers of parts with bytes that lie behind a gap, or are the last and would make the upload whole. Nobody was told
	 * of these bytes.
	 */
	readonly beyond: readonly number[];
	/** The tail's bytes begin here. */
	readonly tailStart: number;
};

/** Null where there is none. */
export async function findUpload(client: BucketClient, id: string, stop?: AbortSignal): Promise<Upload | null> {
	const found = await ask(
		client.send(new GetObjectCommand({ Bucket: client.bucket.bucket, Key: infoKey(id) }), stop),
		"NoSuchKey",
	);
	if (found === null) return null;
	const { generation, "part-bytes": bytes } = found.Metadata ?? {};
	if (found.ContentLength === 0) await must(found.Body?.transformToByteArray() ?? Promise.resolve(new Uint8Array()));
	else (found.Body as { destroy?(): void } | undefined)?.destroy?.();
	if (generation === undefined || bytes === undefined) return null;
	if (!(Number(bytes) >= 1 && Number(bytes) <= largestPartBytes))
		throw new StorageError("failed", "The upload has parts of a size that no upload has");
	return { id, generation, partBytes: Number(bytes) };
}

/**
 * Begins an upload where there is none. Servers that know `If-None-Match` keep two that begin it at once from each
 * other; where one doesn't, the later wins, while neither has bytes yet.
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
		await must(client.send(new PutObjectCommand(info)));
	}
}

/**
 * Tells from the bucket alone how far an upload has come. The object is asked for last: once it is there, the parts and
 * the tail are removed. If nothing is found, the bucket itself is asked for: HEAD answers 404 for a bucket that is gone,
 * too.
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

/** In order of their numbers; null where the server doesn't know the multipart upload (any more). */
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
		const page = await ask(client.send(command), "NoSuchUpload", "NoSuchKey");
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

/** Replaces the tail in one step: whoever looks finds the old one or the new one. */
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
 * The tail's bytes, checked by the sum that was stored with them. At most a part; where the server has more, it
 * rejects.
 */
export async function readTail(client: BucketClient, upload: Upload): Promise<Uint8Array> {
	const key = tailKey(upload.id, upload.generation);
	const found = await must(client.send(new GetObjectCommand({ Bucket: client.bucket.bucket, Key: key })));
	if (found.ContentLength === undefined || found.ContentLength > upload.partBytes) {
		(found.Body as { destroy?(): void } | undefined)?.destroy?.();
		throw new StorageError("failed", "The server has more bytes than a part can have");
	}
	const bytes = await must(found.Body?.transformToByteArray() ?? Promise.resolve(new Uint8Array()));
	const { sha256, md5 } = found.Metadata ?? {};
	if ((sha256 ?? md5) !== sumOf(bytes, sha256 === undefined ? "md5" : "sha256").toString("hex")) {
		throw new StorageError("failed", "The bytes that were read aren't those that were stored");
	}
	return bytes;
}
