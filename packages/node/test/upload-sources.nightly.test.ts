import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, openService, type Service } from "../../http/test/support/open-service.ts";
import { createReelmill, type Reelmill, type UploadInput, type UploadSource } from "../src/index.ts";

const bytes = randomBytes(250_000);
const size = { file_size: bytes.length };
let service: Service;
let reelmill: Reelmill;
let folder = "";
let clip = "";
const temporary = process.env["TMPDIR"];
beforeAll(async () => {
	service = await openService();
	reelmill = createReelmill({ baseUrl: service.url, apiKey: (await service.tenant()).apiKey });
	folder = await mkdtemp(join(tmpdir(), "reelmill-sources-"));
	clip = join(folder, "a clip.mp4");
	await writeFile(clip, bytes);
	process.env["TMPDIR"] = await mkdtemp(join(folder, "tmp-"));
});
afterAll(async () => {
	if (temporary === undefined) delete process.env["TMPDIR"];
	else process.env["TMPDIR"] = temporary;
	await rm(folder, { recursive: true });
	await service.close();
});
/** What is left of streams that were spooled. */
const leftovers = () => readdir(tmpdir());

/** The bytes of a video that the service holds. */
async function held(id: string): Promise<Buffer> {
	const read = await service.engineOptions.uploads.read(id);
	return Buffer.concat(await Array.fromAsync(read?.bytes ?? [], (piece) => Uint8Array.from(piece)));
}
const ids = async () => (await Array.fromAsync(reelmill.videos.list())).map(({ id }) => id);

/** Yields bytes in pieces, then does something else, or ends. */
async function* pieces(whole: Uint8Array, end?: () => Promise<void>): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < whole.length; at += 60_000) yield whole.subarray(at, at + 60_000);
	await end?.();
}
const webStream = (whole: Uint8Array) => Readable.toWeb(Readable.from(pieces(whole))) as ReadableStream<Uint8Array>;
const forEver = () => new Promise<never>(() => setInterval(() => {}, 1000).unref());

describe("videos.upload takes", () => {
	it.each<[name: string, source: () => UploadSource | Promise<UploadSource>, input?: UploadInput]>([
		["a path", () => clip],
		["a file: URL", () => pathToFileURL(clip)],
		["a file: URL as text", () => pathToFileURL(clip).href],
		["a Buffer", () => bytes, { content_type: "video/mp4" }],
		["a Uint8Array that is part of a larger one", () => bytes.subarray(10), { content_type: "video/mp4" }],
		["an ArrayBuffer", () => new Uint8Array(bytes).buffer, { content_type: "video/mp4" }],
		["a Blob", () => new Blob([bytes], { type: "video/mp4" })],
		["a Readable of known size", () => createReadStream(clip), { content_type: "video/mp4", ...size }],
		["a Readable of unknown size", () => createReadStream(clip), { content_type: "video/mp4" }],
		["a web stream of known size", () => webStream(bytes), { content_type: "video/mp4", ...size }],
		["a web stream of unknown size", () => webStream(bytes), { content_type: "video/mp4" }],
		["an async iterable", () => pieces(bytes), { content_type: "video/mp4" }],
		["the body of an answer", async () => (await fetch(await served())).body ?? "", { content_type: "video/mp4" }],
	])("%s", async (name, source, input) => {
		const progress: number[] = [];
		const onProgress = ({ bytesSent }: { bytesSent: number }) => progress.push(bytesSent);
		const video = await reelmill.videos.upload(await source(), input, { onProgress });
		const sent = name.includes("part of") ? bytes.subarray(10) : bytes;
		expect(video.uploaded_at).not.toBeNull();
		expect((await held(video.id)).equals(sent)).toBe(true);
		expect(progress.at(-1)).toBe(sent.length);
		expect(await leftovers()).toEqual([]);
	});

	const servers: ReturnType<typeof createServer>[] = [];
	afterAll(() => servers.forEach((server) => void server.close()));
	/** Serves the clip without saying how long it is. */
	async function served(): Promise<string> {
		const server = createServer((_, response) => void Readable.from(pieces(bytes)).pipe(response));
		servers.push(server);
		return listen(server);
	}
});

describe("a stream of unknown size", () => {
	it("ends with file_too_large at the first byte over the limit, before anything is created", async () => {
		const before = await ids();
		let taken = 0;
		async function* endless() {
			for (;;) {
				taken += 60_000;
				yield new Uint8Array(60_000);
			}
		}
		const input = { content_type: "video/mp4" };
		await expect(reelmill.videos.upload(endless(), input, { maxBytes: 240_000 })).rejects.toMatchObject({
			code: "file_too_large",
			message: "The stream has more than the 240000 bytes allowed.",
		});
		expect(taken).toBeLessThan(600_000);
		expect(await ids()).toEqual(before);
		expect(await leftovers()).toEqual([]);
	});

	it("may have as many bytes as the service allows, if the caller sets no limit", async () => {
		const { domain, apiKey } = await service.tenant({ max_file_bytes: 100_000 });
		expect(domain.config.max_file_bytes).toBe(100_000);
		const { videos } = createReelmill({ baseUrl: service.url, apiKey });
		const input = { content_type: "video/mp4" };
		await expect(videos.upload(pieces(bytes), input)).rejects.toMatchObject({ code: "file_too_large" });
		expect(await Array.fromAsync(videos.list())).toEqual([]);
	});

	it.each([
		["is aborted", forEver, "enough"],
		["breaks off", () => Promise.reject(new Error("The camera is gone.")), { message: "The camera is gone." }],
	])("leaves nothing behind if it %s before its end", async (_, end, thrown) => {
		const before = await ids();
		const stop = new AbortController();
		const ends = () => {
			setImmediate(() => stop.abort("enough"));
			return end();
		};
		const uploading = reelmill.videos.upload(
			pieces(bytes, ends),
			{ content_type: "video/mp4" },
			{ signal: end === forEver ? stop.signal : new AbortController().signal },
		);
		if (typeof thrown === "string") await expect(uploading).rejects.toBe(thrown);
		else await expect(uploading).rejects.toMatchObject(thrown);
		expect(await ids()).toEqual(before);
		expect(await leftovers()).toEqual([]);
	});
});

describe("an upload that fails for good", () => {
	const input = { content_type: "video/mp4" };
	/** Uploads, and returns the state of the video that it created. */
	async function stateAfter(
		source: UploadSource,
		more: UploadInput,
		options: { signal?: AbortSignal; keep?: boolean },
	) {
		let id = "";
		const onCreated = ({ video }: { video: { id: string } }) => {
			id = video.id;
		};
		await expect(
			reelmill.videos.upload(source, { ...input, ...more }, { ...options, chunkSize: 100_000, onCreated }),
		).rejects.toBeDefined();
		expect(await leftovers()).toEqual([]);
		return (await reelmill.videos.get(id)).state;
	}
	/** Aborts when the source has given its bytes. */
	function stopping() {
		const stop = new AbortController();
		const end = () => {
			stop.abort("enough");
			return forEver();
		};
		return { signal: stop.signal, source: pieces(bytes, end) };
	}

	it("cancels what it created: aborted, of a short stream, of a stream that breaks off", async () => {
		const { signal, source } = stopping();
		const longer = { file_size: bytes.length + 1 };
		expect(await stateAfter(source, longer, { signal })).toBe("cancelled");
		expect(await stateAfter(pieces(bytes), longer, {})).toBe("cancelled");
		const broken = pieces(bytes, () => Promise.reject(new Error("The camera is gone.")));
		expect(await stateAfter(broken, longer, {})).toBe("cancelled");
	});

	it("leaves what it created to be resumed if the caller keeps it", async () => {
		const { signal, source } = stopping();
		expect(await stateAfter(source, { file_size: bytes.length + 1 }, { signal, keep: true })).toBe("pending_upload");
	});

	it("cancels a video whose creation was under way when it was aborted, and an outro", async () => {
		const { apiKey } = await service.tenant();
		let stop = new AbortController();
		const { videos, outros } = createReelmill({
			baseUrl: service.url,
			apiKey,
			fetch: async (request, init) => {
				const answer = await fetch(request, init);
				if (answer.status === 201) stop.abort("enough");
				return answer;
			},
		});
		await expect(videos.upload(clip, {}, { signal: stop.signal })).rejects.toBe("enough");
		const [video] = await Array.fromAsync(videos.list());
		expect(video?.state).toBe("cancelled");
		stop = new AbortController();
		await expect(outros.upload(clip, { slug: "tail" }, { signal: stop.signal })).rejects.toBe("enough");
		expect(await outros.list()).toEqual([]);
	});
});
