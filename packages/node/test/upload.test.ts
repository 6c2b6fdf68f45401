import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { tusServer } from "../../client/test/support/tus-server.ts";
import { type CreatedVideo, createReelmill } from "../src/index.ts";
import { video, videoId } from "./support/video.ts";

const bytes = randomBytes(250_000);
let directory = "";
let path = "";
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-node-"));
	path = join(directory, "clip.MOV");
	await writeFile(path, bytes);
});
afterAll(() => rm(directory, { recursive: true }));

const whole = video({ state: "uploaded", uploaded_at: "2026-11-01T00:01:00.000Z" });

async function service(
	tus: Awaited<ReturnType<typeof tusServer>>,
	after: { status: number; body: object } = { status: 200, body: whole },
) {
	const api = await scriptedServer({ status: 201, body: { video: video(), upload: tus.ticket(videoId) } }, after);
	return {
		api,
		videos: createReelmill({ baseUrl: api.baseUrl, apiKey: "ek_key" }).videos,
		[Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
	};
}

describe("uploading from the back end", () => {
	it("sends an outro as it does a video, under its slug", async () => {
		await using tus = await tusServer();
		const outro = { id: videoId, slug: "tail", state: "uploading" };
		await using api = await scriptedServer(
			{ status: 201, body: { outro, upload: tus.ticket(videoId) } },
			{ status: 200, body: { ...outro, state: "encoding" } },
		);
		const { outros } = createReelmill({ baseUrl: api.baseUrl, apiKey: "ek_key" });
		expect(await outros.upload(path, { slug: "tail", label: "The spring one" })).toMatchObject({
			slug: "tail",
			state: "encoding",
		});
		const body = { slug: "tail", label: "The spring one", content_type: "video/quicktime", file_size: bytes.length };
		expect(api.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
			["POST", "/v1/outros", JSON.stringify(body)],
			["GET", "/v1/outros/tail", ""],
		]);
		expect((await tus.bytes(videoId)).equals(bytes)).toBe(true);
	});

	it("sends a file by its path, knowing size and type, and resumes after a broken connection", async () => {
		let broken = false;
		await using tus = await tusServer({
			intercept(request) {
				if (broken || request.headers["upload-offset"] !== "100000") return false;
				broken = true;
				request.socket.destroy();
				return true;
			},
		});
		await using on = await service(tus);
		const created: string[] = [];
		const last = { bytesSent: 0, bytesTotal: 0 };
		const uploaded = await on.videos.upload(
			path,
			{ external_ref: "e" },
			{
				chunkSize: 100_000,
				onCreated: (answer) => created.push(answer.video.id),
				onProgress: (progress) => void Object.assign(last, progress),
			},
		);
		expect(uploaded.state).toBe("uploaded");
		expect(created).toEqual([videoId]);
		expect(last).toEqual({ bytesSent: bytes.length, bytesTotal: bytes.length });
		expect(JSON.parse(on.api.seen[0]?.body ?? "")).toEqual({
			external_ref: "e",
			content_type: "video/quicktime",
			file_size: bytes.length,
		});
		expect((await tus.bytes(videoId)).equals(bytes)).toBe(true);
	});

	it("refuses what its first bytes show to be no video, before anything is created", async () => {
		await using tus = await tusServer();
		await using on = await service(tus);
		const picture = join(directory, "really-a-picture.mp4");
		await writeFile(picture, Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), bytes]));
		await expect(on.videos.upload(picture)).rejects.toMatchObject({
			code: "invalid_content_type",
			message: expect.stringMatching(
				/^The file is a picture, which can't be taken\. These can be taken: MP4, .* GIF\.$/,
			),
		});
		expect(on.api.seen).toEqual([]);
		expect(tus.requests).toEqual([]);
	});

	it.each([
		[
			"the video is waiting for bytes again",
			{ status: 200, body: video() },
			{ message: expect.stringContaining("in state pending_upload") },
		],
		[
			"it has expired without them",
			{ status: 200, body: video({ state: "expired" }) },
			{ message: expect.stringContaining("in state expired") },
		],
		["nobody knows the video", { status: 404, body: { error: "video_not_found" } }, { code: "video_not_found" }],
	])("does not tell of success where every byte was acknowledged, but %s", async (_, after, error) => {
		await using tus = await tusServer();
		await using on = await service(tus, after);
		await expect(on.videos.upload(path)).rejects.toMatchObject(error);
		expect((await tus.bytes(videoId)).equals(bytes)).toBe(true);
	});

	it("does not tell of success where an outro whose bytes were acknowledged waits for them again", async () => {
		await using tus = await tusServer();
		const outro = { id: videoId, slug: "tail", state: "uploading" };
		await using api = await scriptedServer(
			{ status: 201, body: { outro, upload: tus.ticket(videoId) } },
			{ status: 200, body: outro },
		);
		const { outros } = createReelmill({ baseUrl: api.baseUrl, apiKey: "ek_key" });
		await expect(outros.upload(path, { slug: "tail" })).rejects.toThrow(/in state uploading/);
	});

	it("sends a Blob, and a Readable whose size is told", async () => {
		for (const [source, input] of [
			[new Blob([bytes], { type: "video/webm" }), {}],
			[
				Readable.from([bytes.subarray(0, 99), bytes.subarray(99)], { objectMode: false }),
				{ content_type: "video/webm", file_size: bytes.length },
			],
		] as const) {
			await using tus = await tusServer();
			await using on = await service(tus);
			await on.videos.upload(source, input);
			expect(JSON.parse(on.api.seen[0]?.body ?? "")).toEqual({ content_type: "video/webm", file_size: bytes.length });
			expect((await tus.bytes(videoId)).equals(bytes)).toBe(true);
		}
	});

	it("asks for what the source does not tell, before anything is created", async () => {
		await using tus = await tusServer();
		await using on = await service(tus);
		await expect(on.videos.upload(Readable.from([]))).rejects.toThrow(/content_type/);
		await expect(on.videos.upload(new Blob([bytes]))).rejects.toThrow(/content_type/);
		await expect(on.videos.upload(join(directory, "missing.mp4"))).rejects.toMatchObject({ code: "ENOENT" });
		expect(on.api.seen).toEqual([]);
	});

	it("fails with the reason when the file changes meanwhile, and does not try again", async () => {
		const changing = join(directory, "changing.mp4");
		await writeFile(changing, bytes);
		await using tus = await tusServer({
			async intercept(request) {
				if (request.headers["upload-offset"] === "100000") await writeFile(changing, bytes.subarray(0, 50_000));
				return false;
			},
		});
		await using on = await service(tus);
		await expect(on.videos.upload(changing, {}, { chunkSize: 100_000 })).rejects.toMatchObject({
			name: "NotReadableError",
		});
		expect(tus.requests.filter((request) => request.startsWith("HEAD"))).toEqual([]);
	});

	it("stops when aborted", async () => {
		await using tus = await tusServer({ intercept: (request) => request.method === "PATCH" });
		await using on = await service(tus);
		const controller = new AbortController();
		const uploading = on.videos.upload(
			path,
			{},
			{ signal: controller.signal, onProgress: () => controller.abort("no more") },
		);
		await expect(uploading).rejects.toBe("no more");
		expect(on.api.seen).toHaveLength(1);
	});

	it("continues what another process began, where the service is, and creates nothing", async () => {
		await using tus = await tusServer();
		await using on = await service(tus);
		const controller = new AbortController();
		const kept: { created?: CreatedVideo; uploadUrl?: string } = {};
		const begun = on.videos.upload(
			path,
			{},
			{
				signal: controller.signal,
				keep: true,
				chunkSize: 100_000,
				onCreated: (created) => Object.assign(kept, { created }),
				onUploadUrl: (uploadUrl) => Object.assign(kept, { uploadUrl }),
				onProgress: ({ bytesSent }) => bytesSent > 100_000 && controller.abort("closed"),
			},
		);
		await expect(begun).rejects.toBe("closed");
		const { created, uploadUrl } = JSON.parse(JSON.stringify(kept)) as { created: CreatedVideo; uploadUrl: string };
		tus.requests.length = 0;
		const sent: number[] = [];
		const resumed = await on.videos.upload(
			path,
			{},
			{ resume: { created, uploadUrl }, onProgress: ({ bytesSent }) => sent.push(bytesSent) },
		);
		expect(resumed.state).toBe("uploaded");
		expect(on.api.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
		expect(tus.requests.map((request) => request.split(" ")[0])).toEqual(["HEAD", "PATCH"]);
		expect(sent[0]).toBeGreaterThanOrEqual(100_000);
		expect((await tus.bytes(videoId)).equals(bytes)).toBe(true);
	});
});
