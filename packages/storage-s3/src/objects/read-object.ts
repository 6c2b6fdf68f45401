import { GetObjectCommand, type GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { type ByteRange, type Bytes, isStorageError, StorageError } from "@reelmill/engine/ports";
import type { BucketClient } from "../client/bucket-client.ts";
import { hasCode, statusOf, storageError } from "../client/errors.ts";
import { createSilenceTimer } from "../client/silence-timer.ts";

type Body = AsyncIterable<Uint8Array> & { destroy(error?: Error): void };
type Answer = { readonly etag: string; readonly size: number; readonly end: number; readonly body: Body };

/** An answer up to this size is read at once, so that it holds no connection if nobody reads it. */
const smallBytes = 65_536;
/** How many times in a row a connection may break without bringing a byte. */
const breaks = 3;

/**
 * Reads the object's bytes, or those of `range`; returns null if there is no object.
 *
 * The connection is replaced, and the read goes on from the byte that it had come to, in three cases: the connection
 * breaks; it brings nothing for half of `answerMilliseconds`; it was given up because the reader paused for longer than
 * the client's idle timeout. The read throws if the object was replaced or deleted meanwhile, or if the server brings
 * nothing for `answerMilliseconds`.
 */
export async function readObject(
	client: BucketClient,
	key: string,
	range?: ByteRange,
): Promise<{ readonly size: number; readonly bytes: Bytes } | null> {
	if (range && (range.start < 0 || range.end < range.start))
		throw new RangeError(`${range.start}-${range.end} isn't a range`);
	const answer = await ask(client, key, { range }).catch((error: unknown) => {
		if (hasCode(error, "NoSuchKey")) return null;
		if (range && statusOf(error) === 416)
			throw new RangeError(`The range ${range.start}-${range.end} starts past the object's end`);
		throw storageError(error);
	});
	if (!answer) return null;
	const start = range?.start ?? 0;
	const bytes = leavable(resuming(client, key, answer, start), answer.body);
	if (answer.end - start > smallBytes) return { size: answer.size, bytes };
	const all = await Array.fromAsync(bytes);
	return { size: answer.size, bytes: replay(all) };
}

async function ask(
	client: BucketClient,
	key: string,
	{
		range,
		etag,
		signal,
	}: { readonly range: ByteRange | undefined; readonly etag?: string; readonly signal?: AbortSignal },
): Promise<Answer> {
	const found = await client.send(
		new GetObjectCommand({
			Bucket: client.bucket.bucket,
			Key: key,
			...(range && { Range: `bytes=${range.start}-${range.end}` }),
			...(etag !== undefined && { IfMatch: etag }),
		}),
		signal,
	);
	const body = found.Body as unknown as Body;
	const extent = extentOf(found, range);
	if (extent && found.ETag !== undefined && (etag === undefined || etag === found.ETag))
		return { ...extent, etag: found.ETag, body };
	body.destroy();
	throw new StorageError("failed", "The server didn't answer with the bytes that it was asked for");
}

/**
 * Returns the object's size and the position after the answer's last byte; undefined if the answer has another range.
 */
function extentOf(
	found: GetObjectCommandOutput,
	range: ByteRange | undefined,
): { readonly size: number; readonly end: number } | undefined {
	if (!range)
		return found.ContentLength === undefined ? undefined : { size: found.ContentLength, end: found.ContentLength };
	const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(found.ContentRange ?? "");
	const [start, last, size] = match ? match.slice(1).map(Number) : [];
	if (start !== range.start || last === undefined || size === undefined) return undefined;
	return last === Math.min(range.end, size - 1) ? { size, end: last + 1 } : undefined;
}

async function* resuming(client: BucketClient, key: string, answer: Answer, start: number): AsyncGenerator<Uint8Array> {
	const { etag, end } = answer;
	let { body } = answer;
	let at = start;
	let left = breaks;
	for (let waitsSince = performance.now(); ; ) {
		let failure: unknown;
		const late = silence(body, client.answerMilliseconds / 2);
		try {
			for await (const chunk of body) {
				late.stop();
				at += chunk.length;
				if (at > end) throw new StorageError("failed", "The server sent more bytes than it was asked for");
				left = breaks;
				yield chunk;
				waitsSince = performance.now();
				late.start();
			}
		} catch (error) {
			failure = error;
		} finally {
			late.stop();
			body.destroy();
		}
		if (at === end) return;
		if (
			at > end ||
			isStorageError(failure) ||
			left === 0 ||
			performance.now() - waitsSince >= client.answerMilliseconds
		)
			throw storageError(failure);
		left--;
		const rest = createSilenceTimer(client.answerMilliseconds - (performance.now() - waitsSince));
		try {
			({ body } = await ask(client, key, { range: { start: at, end: end - 1 }, etag, signal: rest.signal }));
		} catch (error) {
			throw storageError(error);
		} finally {
			rest.end();
		}
	}
}

/** A generator that is left before its first step runs nothing, so that the connection would stay open. */
function leavable(bytes: AsyncGenerator<Uint8Array>, body: Body): Bytes {
	return {
		[Symbol.asyncIterator]: () => ({
			next: () => bytes.next(),
			async return() {
				const left = await bytes.return(undefined);
				body.destroy();
				return left;
			},
		}),
	};
}

/** Breaks the body when its reader has waited for `milliseconds`. It runs from the start. */
function silence(body: Body, milliseconds: number): { start(): void; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	const start = () => {
		timer = setTimeout(
			() => body.destroy(Object.assign(new Error("The server sends nothing more"), { code: "ETIMEDOUT" })),
			milliseconds,
		);
	};
	start();
	return { start, stop: () => clearTimeout(timer) };
}

async function* replay(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
	yield* chunks;
}
