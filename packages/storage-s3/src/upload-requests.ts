import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import type { BucketClient } from "./client.ts";
import { hasCode, storageError } from "./errors.ts";

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

export type Checked = { readonly bytes: Uint8Array; readonly md5: Buffer };
export const md5Of = (bytes: Uint8Array): Buffer => createHash("md5").update(bytes).digest();

type Request = { body: unknown; readonly headers: Record<string, string> };
type Middleware = (next: (parts: { request: Request }) => Promise<never>) => (parts: { request: Request }) => Promise<never>;
type Stacked = { readonly middlewareStack: { add(middleware: Middleware, options: { step: "build" | "finalizeRequest"; priority?: "low" }): void } };

const sliceBytes = 128 * 1024;
function* inSlices(bytes: Uint8Array): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/**
 * The body is bound to the signature by its Content-MD5, which is among the signed headers and which every server checks. Hashing it with SHA-256
 * as well, as the SDK does with bytes in memory, would double what an upload costs.
 *
 * Each attempt writes it in slices, as the connection takes them: given the whole, TLS encrypts the whole, and holds as much again.
 */
function bodyByMd5<Command extends object>(command: Command): Command {
	const { middlewareStack } = command as Stacked;
	middlewareStack.add(
		(next) => (parts) => {
			parts.request.headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD";
			return next(parts);
		},
		{ step: "build" },
	);
	middlewareStack.add(
		(next) => (parts) => {
			const { request } = parts;
			const { body } = request;
			if (!(body instanceof Uint8Array) || body.length <= sliceBytes) return next(parts);
			request.body = Readable.from(inSlices(body));
			return next(parts).finally(() => {
				request.body = body;
			});
		},
		{ step: "finalizeRequest", priority: "low" },
	);
	return command;
}

/** Stores an object that fits into one request. The server refuses bytes that aren't those of `md5`. */
export async function putChecked(client: BucketClient, key: string, { bytes, md5 }: Checked, metadata: Record<string, string>): Promise<void> {
	const put = new PutObjectCommand({ Bucket: client.bucket.bucket, Key: key, Body: bytes, ContentMD5: md5.toString("base64"), Metadata: metadata });
	await must(client.send(bodyByMd5(put)));
}

/** A part's number, and the entity tag by which the server knows its bytes. */
export type Part = { readonly number: number; readonly etag: string };

/** Stores a part, or puts it in the place of the one that has its number. The server refuses bytes that aren't those of `md5`. */
export async function sendPart(client: BucketClient, key: string, multipart: string, number: number, { bytes, md5 }: Checked): Promise<Part> {
	const upload = new UploadPartCommand({
		Bucket: client.bucket.bucket,
		Key: key,
		UploadId: multipart,
		PartNumber: number,
		Body: bytes,
		ContentMD5: md5.toString("base64"),
	});
	const { ETag } = await must(client.send(bodyByMd5(upload)));
	return { number, etag: ETag ?? "" };
}

export async function removeKey(client: BucketClient, key: string): Promise<void> {
	await ask(client.send(new DeleteObjectCommand({ Bucket: client.bucket.bucket, Key: key })), "NoSuchKey");
}

/** The object's size, entity tag and metadata; null where there is none. */
export async function headOf(client: BucketClient, key: string): Promise<{ size: number; etag: string; metadata: Record<string, string> } | null> {
	const found = await ask(client.send(new HeadObjectCommand({ Bucket: client.bucket.bucket, Key: key })), "NotFound", "NoSuchKey");
	return found && { size: found.ContentLength ?? 0, etag: found.ETag ?? "", metadata: found.Metadata ?? {} };
}

/** An entity tag without its quotes. */
export const bare = (etag: string): string => etag.replaceAll('"', "");
