import { Readable } from "node:stream";
import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import type { Checked } from "./body-sum.ts";
import type { BucketClient } from "./client.ts";
import { hasCode, storageError } from "./errors.ts";
import { createSilence, type Silence } from "./silence.ts";

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

/** What `send` comes to, which may take as long as something moves. Rejects as a StorageError once nothing has for the client's `progressMilliseconds`. */
export async function whileMoving<Output>(client: BucketClient, send: (silence: Silence) => Promise<Output>): Promise<Output> {
	const silence = createSilence(client.progressMilliseconds);
	return must(send(silence)).finally(silence.end);
}

type Request = { body: unknown; readonly headers: Record<string, string> };
type Answer = { readonly response: { body: unknown } };
type Middleware = (next: (parts: { request: Request }) => Promise<Answer>) => (parts: { request: Request }) => Promise<Answer>;
type Stacked = {
	readonly middlewareStack: { add(middleware: Middleware, options: { step: "build" | "finalizeRequest" | "deserialize"; priority?: "low" }): void };
};

const sliceBytes = 256 * 1024;
function* inSlices(bytes: Uint8Array, moved: () => void): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += sliceBytes) {
		moved();
		yield bytes.subarray(at, at + sliceBytes);
	}
	moved();
}

/**
 * Binds the body to the signature by its sum, which is among the signed headers and which every server checks. Left to itself, the SDK would make a
 * SHA-256 once more, all at once.
 *
 * Each attempt writes it in slices, as the connection takes them: so it is seen to move, and TLS, which encrypts all that it is given, holds a slice
 * more and not the whole.
 */
function bound<Command extends object>(command: Command, { by, sum }: Checked, { moved }: Silence): Command {
	const { middlewareStack } = command as Stacked;
	middlewareStack.add(
		(next) => (parts) => {
			const { headers } = parts.request;
			headers["x-amz-content-sha256"] = by === "sha256" ? sum.toString("hex") : "UNSIGNED-PAYLOAD";
			if (by === "md5") headers["content-md5"] = sum.toString("base64");
			return next(parts);
		},
		{ step: "build" },
	);
	middlewareStack.add(
		(next) => (parts) => {
			const { request } = parts;
			const { body } = request;
			if (!(body instanceof Uint8Array) || body.length <= sliceBytes) return next(parts);
			request.body = Readable.from(inSlices(body, moved));
			return next(parts).finally(() => {
				request.body = body;
			});
		},
		{ step: "finalizeRequest", priority: "low" },
	);
	return command;
}

/** The answer's head moves, and so does each piece of its body: S3 sends blanks to those who wait for a completion. */
export function heard<Command extends object>(command: Command, { moved }: Silence): Command {
	(command as Stacked).middlewareStack.add(
		(next) => async (parts) => {
			const answer = await next(parts);
			moved();
			const { body } = answer.response;
			if (body instanceof Readable) answer.response.body = Readable.from(passed(body, moved));
			return answer;
		},
		{ step: "deserialize", priority: "low" },
	);
	return command;
}

async function* passed(body: Readable, moved: () => void): AsyncGenerator<Uint8Array> {
	for await (const chunk of body) {
		moved();
		yield chunk;
	}
}

/** Stores an object that fits into one request. The server refuses bytes that aren't those of the sum. */
export async function putChecked(client: BucketClient, key: string, content: Checked, metadata: Record<string, string>): Promise<void> {
	const put = new PutObjectCommand({ Bucket: client.bucket.bucket, Key: key, Body: content.bytes, Metadata: metadata });
	await whileMoving(client, (silence) => client.send(bound(put, content, silence), silence.signal));
}

/** A part's number, and the entity tag by which the server knows its bytes. */
export type Part = { readonly number: number; readonly etag: string };

/** Stores a part, or puts it in the place of the one that has its number. The server refuses bytes that aren't those of the sum. Given up once `stop` aborts. */
export async function sendPart(client: BucketClient, key: string, multipart: string, number: number, content: Checked, stop?: AbortSignal): Promise<Part> {
	const upload = new UploadPartCommand({ Bucket: client.bucket.bucket, Key: key, UploadId: multipart, PartNumber: number, Body: content.bytes });
	const { ETag } = await whileMoving(client, (silence) =>
		client.send(bound(upload, content, silence), stop ? AbortSignal.any([silence.signal, stop]) : silence.signal),
	);
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
	const found = await ask(client.send(new HeadObjectCommand({ Bucket: client.bucket.bucket, Key: key }), stop), "NotFound", "NoSuchKey");
	return found && { size: found.ContentLength ?? 0, etag: found.ETag ?? "", metadata: found.Metadata ?? {} };
}

/** An entity tag without its quotes. */
export const bare = (etag: string): string => etag.replaceAll('"', "");
