import { contentTypeOf } from "@reelmill/client";
import { ReelmillError } from "@reelmill/contracts/errors";

/** A stream of bytes: one of Node's, a web stream such as the body of a Response, or any other async iterable. */
export type ByteStream = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** A file's path or `file:` URL, a Blob or File, bytes such as a Buffer, or a stream. */
export type UploadSource = string | URL | Blob | ArrayBuffer | ArrayBufferView | ByteStream;

/** What is sent, and what removes what was kept for it. */
export type OpenedSource = { readonly bytes: Blob | AsyncIterable<Uint8Array>; readonly release?: () => Promise<void> };

const isPath = (source: UploadSource): source is string | URL => typeof source === "string" || source instanceof URL;

/** Returns the type that a Blob tells, or the ending of a file's name; undefined if neither does. */
export function typeOf(source: UploadSource): string | undefined {
	if (isPath(source)) return contentTypeOf(source instanceof URL ? source.pathname : source);
	return source instanceof Blob && source.type !== "" ? source.type : undefined;
}

/**
 * Opens a source. A stream is sent as it comes if its size is told. Otherwise it is written to a temporary file first,
 * because an upload begins with its size.
 * @param mostBytes tells how many bytes a stream of unknown size may have
 * @throws {ReelmillError} `file_too_large` when it has more
 * @throws the stream's error, and the signal's reason
 */
export async function openSource(
	source: UploadSource,
	isSizeTold: boolean,
	mostBytes: () => Promise<number>,
	signal: AbortSignal | undefined,
): Promise<OpenedSource> {
	// If the file changes meanwhile, a Blob rejects; the error of a stream would end the process.
	if (isPath(source)) return { bytes: await files().openAsBlob(pathOf(source)) };
	if (source instanceof Blob) return { bytes: source };
	if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
		return { bytes: new Blob([source as Uint8Array<ArrayBuffer>]) };
	const stream = source as AsyncIterable<Uint8Array>;
	return isSizeTold ? { bytes: stream } : spool(stream, await mostBytes(), signal);
}

async function spool(
	stream: AsyncIterable<Uint8Array>,
	mostBytes: number,
	signal: AbortSignal | undefined,
): Promise<OpenedSource> {
	const { openAsBlob, promises } = files();
	const { tmpdir } = process.getBuiltinModule("node:os");
	const folder = await promises.mkdtemp(`${tmpdir()}/reelmill-upload-`);
	const release = () => promises.rm(folder, { recursive: true, force: true });
	const path = `${folder}/bytes`;
	const pieces = stream[Symbol.asyncIterator]();
	// Not a pipeline of Node's: at an abort it waits for the stream's next piece, which may never come.
	const aborted = new Promise<never>((_, reject) => {
		signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
	aborted.catch(() => {});
	try {
		const file = await promises.open(path, "wx");
		try {
			for (let size = 0; ; ) {
				const { done, value } = await Promise.race([pieces.next(), aborted]);
				if (done) break;
				size += value.length;
				if (size > mostBytes)
					throw new ReelmillError("file_too_large", {
						message: `The stream has more than the ${mostBytes} bytes allowed.`,
					});
				await file.appendFile(value);
			}
		} finally {
			await file.close();
		}
		return { bytes: await openAsBlob(path), release };
	} catch (error) {
		pieces.return?.().catch(() => {});
		await release();
		throw error;
	}
}

/** Asks the platform for files by name: an import would keep the package from platforms that have none. */
function files(): typeof import("node:fs") {
	const found = globalThis.process?.getBuiltinModule?.("node:fs");
	if (!found?.openAsBlob)
		throw new TypeError("This platform has no files: pass a Blob in place of a path, and file_size with a stream.");
	return found;
}

function pathOf(source: string | URL): string {
	const isUrl = source instanceof URL || source.startsWith("file://");
	return isUrl ? process.getBuiltinModule("node:url").fileURLToPath(source) : source;
}
