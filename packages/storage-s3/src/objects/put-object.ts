import { randomUUID } from "node:crypto";
import {
	type CompletedPart,
	CompleteMultipartUploadCommand,
	CreateMultipartUploadCommand,
	PutObjectCommand,
	UploadPartCommand,
} from "@aws-sdk/client-s3";
import { type Bytes, interruptible, isStorageError, StorageError } from "@reelmill/engine/ports";
import { abortMultipart } from "../client/abort-multiparts.ts";
import { checked } from "../client/body-sum.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import { storageError } from "../client/errors.ts";
import { createLastLook } from "../client/last-look.ts";
import { sendContent } from "../client/long-requests.ts";
import { completeObject, putMark } from "./complete-object.ts";
import { headersOf } from "./output-headers.ts";

/** All parts but the last have the same size, as R2 requires. Every server takes parts from 5 MiB on. */
const partBytes = 8 * 1024 * 1024;
/** Two parts are sent at once, or one is sent while the next is filled. */
const partsInFlight = 2;
const mostParts = 10_000;
/**
 * How long the look after a failed completion and the abort of a failed put may take. It is shorter than for an upload:
 * whoever puts an object has more to do afterwards.
 */
const lastLookMilliseconds = 1000;
/** The checksum by which the server checks each body. */
const sum = "sha256";

/**
 * Stores `bytes` under `key` and returns how many they were. Holds at most 24 MiB in memory. It may take as long as
 * bytes move; a server that takes none and says nothing is unreachable after the client's `progressMilliseconds`. Once
 * all bytes are there, `signal` has no effect any more.
 *
 * Rejects with the signal's reason, the source's error, or a StorageError. Nothing is left then, unless the server
 * doesn't answer the clean-up within a second.
 */
export async function putObject(
	client: BucketClient,
	key: string,
	bytes: Bytes,
	signal: AbortSignal | undefined,
): Promise<number> {
	signal?.throwIfAborted();
	const failed = new AbortController();
	const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
	const parts = inParts(bytes, stop);
	const target = { Bucket: client.bucket.bucket, Key: key };
	try {
		const first = (await parts.next()).value ?? new Uint8Array(0);
		const second = (await parts.next()).value;
		if (second) return await putParts(client, target, [first, second], parts, failed, stop);
		await sendContent(client, new PutObjectCommand({ ...target, ...headersOf(key), Body: first }), checked(first, sum));
		return first.length;
	} finally {
		await parts.return(undefined);
	}
}

type Target = { readonly Bucket: string; readonly Key: string };
type Parts = AsyncGenerator<Uint8Array, undefined, undefined>;

async function putParts(
	client: BucketClient,
	target: Target,
	waiting: Uint8Array[],
	parts: Parts,
	failed: AbortController,
	stop: AbortSignal,
): Promise<number> {
	const id = randomUUID();
	const lastLook = createLastLook(lastLookMilliseconds);
	const begin = new CreateMultipartUploadCommand({ ...target, ...headersOf(target.Key), Metadata: { [putMark]: id } });
	const begun = await ask(client.send(begin, stop), stop);
	const upload = { ...target, UploadId: begun.UploadId };
	const sent: Promise<CompletedPart>[] = [];
	const send = async (PartNumber: number, Body: Uint8Array): Promise<CompletedPart> => {
		const part = new UploadPartCommand({ ...upload, PartNumber, Body });
		const { ETag } = await ask(sendContent(client, part, checked(Body, sum), stop), stop);
		return { PartNumber, ETag };
	};
	try {
		let size = 0;
		for (let body = waiting.shift(); body; body = waiting.shift() ?? (await parts.next()).value) {
			if (sent.length === mostParts)
				throw new StorageError("failed", `An object is at most ${mostParts * partBytes} bytes`);
			size += body.length;
			const part = send(sent.length + 1, body);
			// The first failure stops the source and the other parts. The wait for all parts rejects with it.
			part.catch((error: unknown) => failed.abort(error));
			sent.push(part);
			await sent[sent.length - partsInFlight];
		}
		const Parts = await Promise.all(sent);
		stop.throwIfAborted();
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
		return size;
	} catch (error) {
		failed.abort(error);
		// A part that arrives after the abort would stay for ever.
		await Promise.allSettled(sent);
		await abortMultipart(
			client,
			target.Key,
			begun.UploadId ?? "",
			isStorageError(error) ? lastLook() : undefined,
		).catch(() => {});
		throw error;
	}
}

async function ask<Answer>(answer: Promise<Answer>, stop?: AbortSignal): Promise<Answer> {
	return answer.catch((error: unknown) => {
		stop?.throwIfAborted();
		throw storageError(error);
	});
}

/** Cuts `bytes` into parts of `partBytes`; the last may be smaller. Rejects as soon as `stop` aborts. */
async function* inParts(bytes: Bytes, stop: AbortSignal): Parts {
	const source = interruptible(bytes, stop);
	let chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for (let next = await source.next(); !next.done; next = await source.next()) {
			let chunk = next.value;
			while (length + chunk.length >= partBytes) {
				const taken = chunk.subarray(0, partBytes - length);
				chunk = chunk.subarray(taken.length);
				chunks.push(taken);
				yield Buffer.concat(chunks.splice(0));
				length = 0;
			}
			if (chunk.length > 0) chunks.push(chunk);
			length += chunk.length;
		}
		if (length > 0) yield Buffer.concat(chunks);
		chunks = [];
	} finally {
		source.leave();
	}
}
