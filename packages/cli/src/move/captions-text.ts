import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { OutcomeError } from "../failure.ts";
import type { ListedCaptions } from "./listed-video.ts";

const mostBytes = 1_048_576;
const seconds = 30;

/**
 * Fetches the text of captions, or reads it from a file beside the list.
 * @throws {OutcomeError} in a plain sentence, when it can't be had, is too large or not in UTF-8
 */
export async function captionsText(captions: ListedCaptions, folder: string, signal: AbortSignal): Promise<string> {
	const bytes = "url" in captions ? await fetched(captions.url, signal) : await read(captions.file, folder);
	if (bytes.byteLength > mostBytes) throw unusable("they have more than 1 MiB");
	if (!isUtf8(bytes)) throw unusable("they are not in UTF-8");
	return new TextDecoder().decode(bytes);
}

const unusable = (why: string) => new OutcomeError("captions_not_put", why);

async function read(file: string, folder: string): Promise<Uint8Array> {
	if (!/\.(vtt|srt)$/i.test(file)) throw unusable(`${file} is no .vtt and no .srt`);
	return readFile(resolve(folder, file)).catch((error: NodeJS.ErrnoException) => {
		throw unusable(`${file} can't be read (${error.code})`);
	});
}

async function fetched(url: string, signal: AbortSignal): Promise<Uint8Array> {
	const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]) }).catch(
		(error: Error & { cause?: { code?: string } }) => {
			signal.throwIfAborted();
			throw unusable(`their address can't be reached (${error.cause?.code ?? error.name})`);
		},
	);
	if (!response.ok || response.body === null) {
		await response.body?.cancel();
		throw unusable(`their address answers ${response.status}`);
	}
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body) {
		chunks.push(chunk);
		size += chunk.byteLength;
		if (size > mostBytes) break;
	}
	return Buffer.concat(chunks);
}
