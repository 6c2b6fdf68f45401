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
const patience = { timeout: 100_000, interval: 100 };
let directory: string;
let service: Service;
let worker: Worker;
/** The whole outputs wait here, so that the time before them lasts as long as the test needs it. */
let letWholeThrough: () => void;

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-playable-"));
	service = await openService({}, () => ({ clock: systemClock, playableFirst: true }));
	const { secret } = await service.engine.accounts.ensure({ name: "worker" });
	const gate = Promise.withResolvers<void>();
	letWholeThrough = gate.resolve;
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
			if (/\/outputs\?lock=[\w-]+$/.test(String(input))) await gate.promise;
			return fetch(input, init);
		},
	});
	worker.start();
});
afterAll(async () => {
	letWholeThrough();
	await worker.stop();
	await service.engine.stop();
	await service.close();
	await rm(directory, { recursive: true });
});

it("plays H.264 while the video is still encoding, and H.264 and AV1 once it is available", async () => {
	const source = await makeSource(5);
	const { auth } = await service.tenant({ renditions: ["h264_720", "av1_720"], default_visibility: "public" });
	const { video, upload } = await initiate(service, auth, { file_size: source.length });
	const principal = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await service.engine.uploads.create(principal, { videoId: video.id, length: source.length });
	await service.engine.uploads.append(principal, video.id, 0, once(source));

	const address = `${service.url}/videos/${video.id}/hls/master.m3u8`;
	const state = async () =>
		((await service.send({ path: `/v1/videos/${video.id}`, headers: auth })).json as { state: string }).state;
	const decodedFrames = async (codec: string) => {
		const { stdout } = await run("ffprobe", [
			"-v",
			"error",
			"-count_frames",
			"-show_entries",
			"stream=codec_name,nb_read_frames",
			"-of",
			"csv=p=0",
			address,
		]);
		return stdout.split("\n").filter((line) => line.startsWith(codec));
	};
	await expect.poll(async () => (await fetch(address)).status, patience).toBe(200);
	const early = await fetch(address);
	expect(early.headers.get("cache-control")).toBe("public, no-cache");
	expect(await early.text()).toMatch(/^(?=[\s\S]*avc1)(?![\s\S]*av01)/);
	expect(await decodedFrames("h264")).toContain("h264,125");
	expect(await state()).toBe("encoding");

	letWholeThrough();
	await expect.poll(state, patience).toBe("available");
	const whole = await fetch(address);
	expect(whole.headers.get("cache-control")).toBe("public, max-age=86400");
	expect(whole.headers.get("etag")).not.toBe(early.headers.get("etag"));
	expect(await whole.text()).toMatch(/^(?=[\s\S]*avc1)(?=[\s\S]*av01)/);
	expect(await decodedFrames("av1")).toContain("av1,125");
});
