import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { createWorker, type Worker } from "@reelmill/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { initiate, once, openService, type Service } from "../support/open-service.ts";

const run = promisify(execFile);
/** Not so often that the API's rate limit is met. */
const calmly = { interval: 400 };
let directory: string;
let service: Service;
let worker: Worker;
/** The second archive and the whole one wait here, so that the time before each lasts as long as the test needs it. */
const [smallest, whole] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-playable-"));
	service = await openService({}, () => ({ clock: systemClock, playableFirst: true }));
	const { secret } = await service.engine.accounts.ensure({ name: "worker" });
	let early = 0;
	worker = createWorker({
		...{
			apiUrl: service.url,
			name: "worker",
			secret,
			workDirectory: join(directory, "work"),
			graceSeconds: 0,
			claimWaitSeconds: 1,
		},
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
		logger: createRecordingLogger(),
		async fetch(input, init) {
			const address = String(input);
			if (address.endsWith("&part=playable") && ++early === 2) await smallest.promise;
			if (/\/outputs\?lock=[\w-]+$/.test(address)) await whole.promise;
			return fetch(input, init);
		},
	});
	worker.start();
});
afterAll(async () => {
	smallest.resolve();
	whole.resolve();
	await worker.stop();
	await service.engine.stop();
	await service.close();
	await rm(directory, { recursive: true });
});

it("plays the first 30 s while the rest is encoded, then the smallest H.264, and H.264 and AV1 once it is available", async () => {
	const source = await makeSource(62, { size: "160x90", rate: 5 });
	const { auth } = await service.tenant({ renditions: ["h264_720", "av1_720"], default_visibility: "public" });
	const { video, upload } = await initiate(service, auth, { file_size: source.length });
	const principal = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await service.engine.uploads.create(principal, { videoId: video.id, length: source.length });
	await service.engine.uploads.append(principal, video.id, 0, once(source));

	const address = (file: string) => `${service.url}/videos/${video.id}/hls/${file}`;
	const state = async () =>
		((await service.send({ path: `/v1/videos/${video.id}`, headers: auth })).json as { state: string }).state;
	const text = async (file: string) => (await fetch(address(file))).text();
	const decodedFrames = async (file: string) => {
		const entries = ["-show_entries", "stream=codec_name,nb_read_frames", "-of", "csv=p=0"];
		const { stdout } = await run("ffprobe", ["-v", "error", "-count_frames", ...entries, address(file)]);
		return stdout.split("\n");
	};
	await expect.poll(async () => (await fetch(address("master.m3u8"))).status, calmly).toBe(200);
	const first = await fetch(address("master.m3u8"));
	expect(first.headers.get("cache-control")).toBe("public, no-cache");
	expect(await first.text()).toContain("\nopening_h264_90.m3u8\n");
	const opening = await fetch(address("opening_h264_90.m3u8"));
	expect(opening.headers.get("cache-control")).toBe("public, no-cache");
	const begin = await opening.text();
	expect(begin.split("#EXTINF:2.000000,")).toHaveLength(16);
	expect(begin).not.toContain("#EXT-X-ENDLIST");
	expect(await state()).toBe("encoding");

	smallest.resolve();
	await expect.poll(() => text("master.m3u8"), calmly).toContain("\nh264_90.m3u8\n");
	const early = await fetch(address("master.m3u8"));
	expect(early.headers.get("cache-control")).toBe("public, no-cache");
	expect(early.headers.get("etag")).not.toBe(first.headers.get("etag"));
	expect(await early.text()).toMatch(/^(?=[\s\S]*avc1)(?![\s\S]*av01)(?![\s\S]*opening)/);
	const grown = await text("opening_h264_90.m3u8");
	expect([grown.startsWith(begin), grown.endsWith("#EXT-X-ENDLIST\n")]).toEqual([true, true]);
	expect(await decodedFrames("master.m3u8")).toContain("h264,620");
	expect(await decodedFrames("opening_h264_90.m3u8")).toContain("h264,620");
	expect(await state()).toBe("encoding");

	whole.resolve();
	await expect.poll(state, calmly).toBe("available");
	const last = await fetch(address("master.m3u8"));
	expect(last.headers.get("cache-control")).toBe("public, max-age=86400");
	expect(last.headers.get("etag")).not.toBe(early.headers.get("etag"));
	expect(await last.text()).toMatch(/^(?=[\s\S]*avc1)(?=[\s\S]*av01)/);
	expect(await decodedFrames("master.m3u8")).toContain("av1,620");
	expect(await text("opening_h264_90.m3u8")).toBe(grown);
	expect(await decodedFrames("opening_h264_90.m3u8")).toContain("h264,620");
});
