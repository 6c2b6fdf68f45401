import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";

/**
 * A zip of the files, stored (media doesn't shrink), made while it is read: never in memory, never on disk. A file that
 * can't be read breaks the stream.
 */
export function archive(directory: string, files: readonly string[]): ReadableStream<Uint8Array> {
	const zip = new ZipFile();
	const output = new PassThrough();
	zip.on("error", (error: Error) => output.destroy(error));
	for (const file of files) zip.addFile(join(directory, file), file, { compress: false });
	zip.end();
	zip.outputStream.pipe(output);
	return Readable.toWeb(output) as ReadableStream<Uint8Array>;
}
