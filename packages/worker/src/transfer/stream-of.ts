import { ReadableStream as NodeReadableStream } from "node:stream/web";

/** Returns the bytes as a body for `fetch`. Unlike `Readable.toWeb`, it doesn't copy them. */
export const streamOf = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
	NodeReadableStream.from(bytes) as ReadableStream<Uint8Array>;
