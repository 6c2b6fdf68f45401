import type { FileReader } from "tus-js-client";

/**
 * What can be sent: a Blob or File anywhere (Node's `fs.openAsBlob` makes one of a file), in Node also a readable
 * stream.
 */
export type TransferSource = Blob | { pipe(destination: never): unknown; read(size?: number): unknown };

const isBlob = (source: TransferSource): source is Blob => source instanceof Blob;

/**
 * tus-js-client's Node build does not take Blobs: it gets a reader for them. Its browser build hands slices to
 * XMLHttpRequest, which reads them from disk itself.
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
 * XMLHttpRequest reports a file that was changed or removed as a broken connection. Reading one byte tells the two
 * apart.
 * @throws the platform's error where the Blob can't be read any more
 */
export async function assertReadable(source: TransferSource, offset: number): Promise<void> {
	if (isBlob(source)) await source.slice(offset, offset + 1).arrayBuffer();
}
