/**
 * What can be sent: a Blob or File, and in Node also a readable stream. In Node, `fs.openAsBlob` makes a Blob of a
 * file.
 */
export type TransferSource = Blob | { pipe(destination: never): unknown; read(size?: number): unknown };

/** Reads the bytes of a source from an offset on. */
export type ChunkReader = (offset: number) => Promise<Blob>;

/**
 * Returns a reader of chunks. A slice of a Blob is read when it is sent. A stream's chunk is held in memory, so that it
 * can be sent again from an offset within it.
 * @throws {GoneBack} from the reader, when bytes of a stream are asked for that an earlier chunk held
 */
export function chunksOf(source: TransferSource, chunkSize: number): ChunkReader {
	if (source instanceof Blob) return async (offset) => source.slice(offset, offset + chunkSize);
	const pieces = (source as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>)[Symbol.asyncIterator]();
	let held = new Blob([]);
	let start = 0;
	return async (offset) => {
		if (offset < start) throw new GoneBack();
		held = held.slice(offset - start);
		start = offset;
		const read: Blob[] = [held];
		for (let size = held.size; size < chunkSize; ) {
			const { done, value } = await pieces.next();
			if (done) break;
			read.push(new Blob([value]));
			size += value.length;
		}
		held = new Blob(read);
		return held.slice(0, chunkSize);
	};
}

/** A stream can't go back to bytes that were acknowledged. */
export class GoneBack extends Error {}

/**
 * Reads one byte of a Blob to prove that it can still be read: XMLHttpRequest reports a file that was changed or
 * removed as a broken connection.
 * @throws the platform's error when the Blob can no longer be read
 */
export async function assertReadable(source: TransferSource, offset: number): Promise<void> {
	if (source instanceof Blob) await source.slice(offset, offset + 1).arrayBuffer();
}
