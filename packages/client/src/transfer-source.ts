import type { FileReader } from "tus-js-client";

/**
 * What can be sent: a Blob or File, and in Node also a readable stream. In Node, `fs.openAsBlob` makes a Blob of a
 * file.
 */
export type TransferSource = Blob | { pipe(destination: never): unknown; read(size?: number): unknown };

const isBlob = (source: TransferSource): source is Blob => source instanceof Blob;

/**
 * Returns a reader of Blobs for tus-js-client's Node build, which takes none. Its browser build needs no reader: it
 * gives slices to XMLHttpRequest, which reads them from disk.
 */
export function readerFor(source: TransferSource): { fileReader?: FileReader } {
	if (!isBlob(source) || typeof XMLHttpRequest !== "undefined") return {};
	const slice = async (start: number, end: number) => {
		const bytes = new Uint8Array(await source.slice(start, end).arrayBuffer());
		return { value: Object.assign(bytes, { size: bytes.byteLength }), done: end >= source.size };
	};
	return { fileReader: { openFile: async () => ({ size: source.size, slice, close() {} }) } };
}

/**
 * Reads one byte of a Blob to prove that it can still be read: XMLHttpRequest reports a file that was changed or
 * removed as a broken connection.
 * @throws the platform's error when the Blob can no longer be read
 */
export async function assertReadable(source: TransferSource, offset: number): Promise<void> {
	if (isBlob(source)) await source.slice(offset, offset + 1).arrayBuffer();
}
