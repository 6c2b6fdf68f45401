import { createWriteStream } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { contentTypeOf } from "@reelmill/node";
import { OutcomeError } from "../failure.ts";

/** `contentType` is that of a video. */
export type Downloaded = { path: string; size: number; contentType: string };

/** What is known of a download: `etag` names the version that the bytes are of, `done` that none is missing. */
type Note = { url: string; etag: string | null; contentType: string; done: boolean };

export type DownloadOptions = {
	/** The most bytes that are of use. */
	mostBytes: number;
	signal: AbortSignal;
};

const tries = 5;

/**
 * Downloads an address to a file, and continues what an earlier run left there if the address still gives the same
 * version. A broken connection is resumed, four times without a further byte at most.
 * @throws {OutcomeError} in a plain sentence, when the address refuses, gives no video, or too much
 */
export async function download(url: string, path: string, { mostBytes, signal }: DownloadOptions): Promise<Downloaded> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	let reached = -1;
	for (let failed = 0; ; ) {
		const note = await read(path, url);
		const have = note === undefined ? 0 : await sizeOf(path);
		if (note?.done && have > 0) return { path, size: have, contentType: note.contentType };
		failed = have > reached ? 1 : failed + 1;
		reached = have;
		try {
			await request(url, path, { have, note, mostBytes, signal });
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof OutcomeError) throw error;
			const { cause, message } = error as Error & { cause?: { code?: string } };
			if (failed === tries) throw new OutcomeError("download_failed", `${url} broke off: ${cause?.code ?? message}.`);
			await sleep(500 * 2 ** failed, undefined, { signal });
		}
	}
}

/** Forgets a download. */
export async function forgetDownload(path: string): Promise<void> {
	await Promise.all([path, `${path}.json`].map((file) => rm(file, { force: true })));
}

/** Reads on from `have`, or from the beginning if the address gives another version. */
async function request(
	url: string,
	path: string,
	{ have, note, mostBytes, signal }: DownloadOptions & { have: number; note: Note | undefined },
): Promise<void> {
	const resumes = have > 0 && note !== undefined && note.etag !== null;
	const headers = resumes ? { range: `bytes=${have}-`, "if-range": note.etag as string } : {};
	const response = await fetch(url, { headers, signal });
	if (response.status === 416) return await forgetDownload(path);
	if (!response.ok || response.body === null) {
		await response.body?.cancel();
		if (response.status >= 500) throw new Error(`it answers ${response.status}`);
		throw new OutcomeError("download_refused", `${url} answers ${response.status}.`);
	}
	const appends =
		response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${have}-`) === true;
	const begin = appends ? have : 0;
	const length = response.headers.get("content-length");
	const tooLarge = () =>
		new OutcomeError("too_large", `${url} has more than ${mostBytes} bytes, the most that may be uploaded.`);
	if (begin + Number(length ?? 0) > mostBytes) {
		await response.body.cancel();
		throw tooLarge();
	}
	const contentType = typeOf(url, response.headers.get("content-type")?.split(";")[0]?.trim());
	if (contentType === undefined) {
		await response.body.cancel();
		await forgetDownload(path);
		throw new OutcomeError("unknown_type", `${url} does not tell that it is a video.`);
	}
	const etag = response.headers.get("etag");
	const next: Note = { url, etag: etag?.startsWith("W/") ? null : etag, contentType, done: false };
	await writeFile(`${path}.json`, JSON.stringify(next));
	let size = begin;
	const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
		for await (const chunk of chunks) {
			size += chunk.byteLength;
			if (size > mostBytes) throw tooLarge();
			yield chunk;
		}
	};
	const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
	await pipeline(body, counted, createWriteStream(path, { flags: begin > 0 ? "a" : "w" }), { signal });
	if (size === 0) throw new OutcomeError("empty", `${url} is empty.`);
	await writeFile(`${path}.json`, JSON.stringify({ ...next, done: true }));
}

async function read(path: string, url: string): Promise<Note | undefined> {
	try {
		const note = JSON.parse(await readFile(`${path}.json`, "utf8")) as Note;
		return note.url === url ? note : undefined;
	} catch {
		return undefined;
	}
}

const sizeOf = (path: string): Promise<number> =>
	stat(path).then(
		({ size }) => size,
		() => 0,
	);

/** Returns the type of the video at an address: as it says, or else as its ending tells; undefined for neither. */
const typeOf = (url: string, said: string | undefined): string | undefined =>
	said?.startsWith("video/") ? said : contentTypeOf(new URL(url).pathname);
