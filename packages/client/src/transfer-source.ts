import type { FileReader } from "tus-js-client";
import type { TransferSource } from "./transfer-options.ts";

type Source = Awaited<ReturnType<FileReader["openFile"]>>;

/** Opens a source for tus-js-client. A slice of a Blob is read when it is sent. */
export function openSource(source: TransferSource, beforeLast?: () => Promise<void>): Source {
	if (!(source instanceof Blob)) return openStream(source as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>);
	const slice = async (start: number, end: number) => {
		const done = end >= source.size;
		if (done) await beforeLast?.();
		return { value: source.slice(start, end), done };
	};
	return { size: source.size, slice, close() {} };
}

/**
 * Opens a stream whose last chunk is held in memory, so that it can be sent again from an offset within it. Bytes before
 * the first offset are passed over. The sources of tus-js-client hold all bytes, or copy them at each read.
 */
function openStream(stream: AsyncIterable<Uint8Array<ArrayBuffer>>): Source {
	const pieces = stream[Symbol.asyncIterator]();
	let held = new Blob([]);
	let heldFrom = 0;
	return {
		size: Number.NaN,
		async slice(start, end) {
			if (start < heldFrom)
				throw new Error(
					`The service holds ${start} of the ${heldFrom} bytes that it had acknowledged, and a stream can't go back: send the file again.`,
				);
			const read: BlobPart[] = [held.slice(start - heldFrom)];
			for (let reached = heldFrom + held.size; reached < end; ) {
				const { done, value } = await pieces.next();
				if (done) break;
				read.push(value.subarray(Math.max(0, start - reached)));
				reached += value.length;
			}
			held = new Blob(read);
			heldFrom = start;
			const value = held.slice(0, end - start);
			return { value, done: value.size < end - start };
		},
		close() {},
	};
}

/**
 * Reads one byte of a Blob to prove that it can still be read: XMLHttpRequest reports a file that was changed or
 * removed as a broken connection.
 * @throws the platform's error when the Blob can no longer be read
 */
export async function assertReadable(source: TransferSource, offset: number): Promise<void> {
	if (source instanceof Blob) await source.slice(offset, offset + 1).arrayBuffer();
}
