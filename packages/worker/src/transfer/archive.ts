import { join } from "node:path";
import { PassThrough } from "node:stream";
import { ZipFile } from "yazl";
import { streamOf } from "./stream-of.ts";

/**
 * Returns the files as a zip without compression, since media doesn't shrink. The zip is made while it is read; it is
 * never whole in memory or on the disk. A file that can't be read breaks the stream.
 */
export function archive(directory: string, files: readonly string[]): ReadableStream<Uint8Array> {
	const zip = new ZipFile();
	const output = new PassThrough();
	zip.on("error", (error: Error) => output.destroy(error));
	for (const file of files) zip.addFile(join(directory, file), file, { compress: false });
	zip.end();
	zip.outputStream.pipe(output);
	return streamOf(output);
}
