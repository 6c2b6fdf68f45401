import { randomUUID } from "node:crypto";
import {
	type CompletedPart,
	CompleteMultipartUploadCommand,
	CreateMultipartUploadCommand,
	PutObjectCommand,
	UploadPartCommand,
} from "@aws-sdk/client-s3";
import { type Bytes, interruptible, isStorageError, StorageError } from "@reelmill/engine/ports";
import { checked } from "./body-sum.ts";
import type { BucketClient } from "./client.ts";
import { storageError } from "./errors.ts";
import { throwIfBucketIsGone } from "./missing-bucket.ts";
import { createLastLook, sendContent, sendPatiently } from "./moving-requests.ts";
import { abortMultipart } from "./multiparts.ts";
import { headersOf } from "./output-headers.ts";
import { headOf } from "./upload-requests.ts";

/** All parts but the last are of the same size: R2 insists. Each server takes at least 5 MiB. */
const partBytes = 8 * 1024 * 1024;
/** On their way at once, or one on its way and one being filled. */
const partsInFlight = 2;
const mostParts = 10_000;
/**
 * For a look at what came of a completion, and to abort what came to nothing: less than an upload has, since whoever
 * put it has more to do than that.
 */
const lastLookMilliseconds = 1000;
/** Metadata by which an object whose making got no answer is recognised. */
export const mark = "put";
/** By which the server checks each body. */
const sum = "sha256";

/**
 * Stores `bytes` under `key` and answers how many they were, with 24 MiB in memory at most. Rejects with the signal's
 * reason, the source's error, or a StorageError, and then leaves nothing, unless the server says nothing to that either
 * within a second. Once all bytes are there, `signal` comes too late. It may take as long as bytes pass; a server that
 * takes none and says nothing is unreachable after the client's `progressMilliseconds`.
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
	const begin = new CreateMultipartUploadCommand({ ...target, ...headersOf(target.Key), Metadata: { [mark]: id } });
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
			// The first failure stops the source and the other parts; it is told by the wait for all.
			part.catch((error: unknown) => failed.abort(error));
			sent.push(part);
			await sent[sent.length - partsInFlight];
		}
		const Parts = await Promise.all(sent);
		stop.throwIfAborted();
		await complete(client, target, new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), {
			id,
			size,
			lastLook,
		});
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

/**
 * What stands under the key tells whether it was done, whatever the completion answered: one that was done although its
 * answer got lost is refused when it is sent again. Of two puts at once, the one that lost rejects.
 */
export async function complete(
	client: BucketClient,
	target: Target,
	command: CompleteMultipartUploadCommand,
	{ id, size, lastLook }: { readonly id: string; readonly size: number; readonly lastLook: () => AbortSignal },
): Promise<void> {
	let failure: StorageError | undefined;
	const failed = (error: unknown): undefined => {
		failure ??= storageError(error);
	};
	await sendPatiently(client, command).catch(failed);
	const found = await headOf(client, target.Key, failure && lastLook()).catch(failed);
	if (found === null) await throwIfBucketIsGone(client, lastLook());
	if (found?.metadata[mark] !== id || found.size !== size)
		throw failure ?? new StorageError("failed", "The server lost what was stored, or another put replaced it at once");
}

async function ask<Answer>(answer: Promise<Answer>, stop?: AbortSignal): Promise<Answer> {
	return answer.catch((error: unknown) => {
		stop?.throwIfAborted();
		throw storageError(error);
	});
}

/** `bytes` in parts of `partBytes`; the last may be smaller. Rejects as soon as `stop` aborts. */
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
