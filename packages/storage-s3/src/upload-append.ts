import type { Bytes } from "@reelmill/engine/ports";
import { interruptible } from "@reelmill/engine/ports";
import type { BucketClient } from "./client.ts";
import { undo } from "./upload-finish.ts";
import { findUpload, mostParts, type Progress, progressOf, readTail, type Upload } from "./upload-state.ts";
import { createUploadWriter, type UploadWriter } from "./upload-writer.ts";

export type AppendOptions = { readonly limit: number; readonly signal?: AbortSignal };

/** See `append` of the UploadStore port. */
export async function appendBytes(
	client: BucketClient,
	allocate: (bytes: number) => Uint8Array,
	id: string,
	offset: number,
	bytes: Bytes,
	options: AppendOptions,
): Promise<number> {
	const upload = await findUpload(client, id);
	if (upload === null) throw new RangeError("There is no such upload");
	const progress = await progressOf(client, upload);
	if (progress.size !== offset) throw new RangeError(`The upload has ${progress.size} bytes: none can be appended at ${offset}`);
	if (options.limit > upload.partBytes * mostParts) throw new RangeError(`An upload is at most ${upload.partBytes * mostParts} bytes`);

	const writer = createUploadWriter({ client, allocate, upload, progress, limit: options.limit });
	const stillThere = async () => (await findUpload(client, id))?.generation === upload.generation;
	const takeBack = async (cause?: unknown): Promise<never> => {
		await undo(client, upload, writer.multipart());
		throw new RangeError("The upload was discarded", { cause });
	};
	let outcome: Received;
	try {
		outcome = await receive(client, writer, upload, progress, bytes, options);
		if (outcome.end === options.limit && !progress.whole) await writer.finish(stillThere);
		else if (outcome.end > offset) await writer.keep();
	} catch (error) {
		// Where the bucket doesn't even say whether the upload is still there, the first error is the one to tell.
		if (await stillThere().catch(() => true)) throw error;
		return takeBack(error);
	}
	if (!(await stillThere())) return takeBack();
	if (outcome.tooMany) throw new RangeError(`The bytes pass the limit of ${options.limit}`);
	return outcome.end;
}

type Received = { readonly end: number; readonly tooMany: boolean };

/** Takes bytes until there are no more, the source throws, the signal aborts, or the limit is reached. Rejects only when the bucket fails. */
async function receive(
	client: BucketClient,
	writer: UploadWriter,
	upload: Upload,
	progress: Progress,
	bytes: Bytes,
	{ limit, signal }: AppendOptions,
): Promise<Received> {
	const source = interruptible(bytes, AbortSignal.any([writer.failed, ...(signal ? [signal] : [])]));
	let end = progress.size;
	try {
		const inParts = progress.parts.length * upload.partBytes;
		if (!progress.whole && end > inParts) await writer.take((await readTail(client, upload)).subarray(inParts - progress.tailStart));
		for (;;) {
			const next = await source.next().catch(() => ({ done: true, value: undefined }) as const);
			if (next.done) return { end, tooMany: false };
			const room = next.value.subarray(0, Math.max(0, limit - end));
			await writer.take(room);
			end += room.length;
			if (room.length < next.value.length) return { end, tooMany: true };
		}
	} finally {
		source.leave();
	}
}
