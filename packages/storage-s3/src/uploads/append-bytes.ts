import type { AppendOptions, Bytes } from "@reelmill/engine/ports";
import { interruptible } from "@reelmill/engine/ports";
import type { SumName } from "../client/body-sum.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import { createLastLook } from "../client/last-look.ts";
import { isMissingBucket } from "../client/missing-bucket.ts";
import { undo } from "./complete-upload.ts";
import { findUpload, mostParts, type Progress, progressOf, readTail, type Upload } from "./upload-state.ts";
import { createUploadWriter, type UploadWriter } from "./upload-writer.ts";

const lastLookMilliseconds = 2000;

/** Appends `bytes` to an upload. See `append` of the UploadStore port. */
export async function appendBytes(
	client: BucketClient,
	parts: { readonly allocate: (bytes: number) => Uint8Array; readonly by: SumName },
	id: string,
	offset: number,
	bytes: Bytes,
	options: AppendOptions,
): Promise<number> {
	const upload = await findUpload(client, id);
	if (upload === null) throw new RangeError("There is no such upload");
	const progress = await progressOf(client, upload);
	if (progress.size !== offset)
		throw new RangeError(`The upload has ${progress.size} bytes: none can be appended at ${offset}`);
	if (options.limit > upload.partBytes * mostParts)
		throw new RangeError(`An upload is at most ${upload.partBytes * mostParts} bytes`);

	const lastLook = createLastLook(lastLookMilliseconds);
	const writer = createUploadWriter({ client, ...parts, upload, progress, limit: options.limit, lastLook });
	const stillThere = async (signal?: AbortSignal) =>
		(await findUpload(client, id, signal))?.generation === upload.generation;
	const takeBack = async (cause?: unknown): Promise<never> => {
		await undo(client, upload, writer.multipart());
		throw new RangeError("The upload was discarded", { cause });
	};
	let outcome: Received;
	let isFinished = false;
	try {
		outcome = await receive(client, writer, upload, progress, bytes, options);
		isFinished = outcome.end === options.limit && !progress.whole;
		if (isFinished) await writer.finish(stillThere);
		else if (outcome.end > offset) await writer.keep();
	} catch (error) {
		const isThere = await stillThere(lastLook()).catch((failure: unknown) => {
			// A missing bucket explains the first error. Any other failure to look says less than the first error.
			throw isMissingBucket(failure) ? failure : error;
		});
		if (isThere) throw error;
		return takeBack(error);
	}
	const [isThere] = await Promise.all([stillThere(), isFinished && writer.tidy()]);
	if (!isThere) return takeBack();
	if (outcome.tooMany) throw new RangeError(`The bytes pass the limit of ${options.limit}`);
	return outcome.end;
}

type Received = { readonly end: number; readonly tooMany: boolean };

/**
 * Takes bytes until there are no more, the source throws, the signal aborts, or the limit is reached. Rejects only if
 * the bucket fails.
 */
async function receive(
	client: BucketClient,
	writer: UploadWriter,
	upload: Upload,
	progress: Progress,
	bytes: Bytes,
	{ limit, signal, release }: AppendOptions,
): Promise<Received> {
	const source = interruptible(bytes, AbortSignal.any([writer.failed, ...(signal ? [signal] : [])]));
	let end = progress.size;
	try {
		const inParts = progress.parts.length * upload.partBytes;
		if (!progress.whole && end > inParts)
			await writer.take((await readTail(client, upload)).subarray(inParts - progress.tailStart));
		for (;;) {
			const next = await source.next().catch(() => ({ done: true, value: undefined }) as const);
			if (next.done) return { end, tooMany: false };
			const room = next.value.subarray(0, Math.max(0, limit - end));
			await writer.take(room);
			end += room.length;
			if (room.length < next.value.length) return { end, tooMany: true };
			release?.(next.value);
		}
	} finally {
		source.leave();
	}
}
