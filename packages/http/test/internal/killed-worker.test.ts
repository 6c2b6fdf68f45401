import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Clip, Video } from "@reelmill/contracts";
import { systemClock } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { openFaultProxy } from "@reelmill/fault-proxy";
import { createWorker } from "@reelmill/worker";
import { afterEach, expect, it } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { eventually } from "../support/open-faulty-service.ts";
import { initiate, once as onceBytes, openService } from "../support/open-service.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

const run = promisify(execFile);

it("a worker that is killed after encoding leaves its outputs to the next attempt, which doesn't encode again, and a clip is cut out of them", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-killed-worker-"));
	closing.push(() => rm(directory, { recursive: true }));
	const service = await openService({}, () => ({ clock: systemClock, windows: { lock: 60, sweep: 1 } }));
	await service.engine.start();
	closing.push(async () => {
		await service.engine.stop();
		await service.close();
	});
	const proxy = await openFaultProxy({ target: service.url });
	closing.push(proxy.close);
	const source = await makeSource(3, { size: "640x360" });
	const { auth } = await service.tenant({ renditions: ["h264_720"], default_visibility: "public" });
	const { video, upload } = await initiate(service, auth, { file_size: source.length });
	const principal = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await service.engine.uploads.create(principal, { videoId: video.id, length: source.length });
	await service.engine.uploads.append(principal, video.id, 0, onceBytes(source));

	const { secret } = await service.engine.accounts.ensure({ name: "worker" });
	const workDirectory = join(directory, "work");
	const delivery = proxy.use({
		when: { method: "PUT" },
		fault: { kind: "hold", direction: "request", afterBytes: 1000 },
	});
	const script = fileURLToPath(new URL("../support/working-process.ts", import.meta.url));
	const first = spawn(process.execPath, [script, proxy.url, secret, workDirectory], { stdio: "ignore" });
	closing.push(async () => first.kill("SIGKILL"));
	await delivery.hit();
	first.kill("SIGKILL");
	await once(first, "exit");
	await service.database.query({ text: "update reelmill.jobs set lock_expires_at = now()", values: [] });
	const [folder = ""] = await readdir(workDirectory);
	const made = await readFile(join(workDirectory, folder, "outputs", "web.mp4"));

	const tools = { ffmpeg: "/nonexistent/ffmpeg", ffprobe: "/nonexistent/ffprobe" };
	const logger = createRecordingLogger();
	const second = createWorker({
		apiUrl: service.url,
		name: "worker",
		secret,
		workDirectory,
		tools,
		logger,
		claimWaitSeconds: 1,
	});
	closing.push(second.stop);
	second.start();
	const read = async () => (await service.send({ path: `/v1/videos/${video.id}`, headers: auth })).json as Video;
	const ready = await eventually(read, ({ state }) => ["available", "failed"].includes(state));
	expect(ready, JSON.stringify(logger.entries)).toMatchObject({
		state: "available",
		progress: 100,
		width: 640,
		height: 360,
	});
	expect(Buffer.from(await (await fetch(`${service.url}/videos/${video.id}/web.mp4`)).arrayBuffer()).equals(made)).toBe(
		true,
	);
	await expect.poll(() => readdir(workDirectory)).toEqual([]);
	const { stderr } = await run("ffmpeg", [
		"-v",
		"error",
		"-i",
		`${service.url}/videos/${video.id}/hls/master.m3u8`,
		"-f",
		"null",
		"-",
	]);
	expect(stderr).toBe("");

	await second.stop();
	const third = createWorker({
		...{ apiUrl: service.url, name: "worker", secret, workDirectory, logger, claimWaitSeconds: 1 },
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
	});
	closing.push(third.stop);
	third.start();
	const json = { start_seconds: 0.5, end_seconds: 2.7 };
	const sent = { method: "POST", path: `/v1/videos/${video.id}/clips`, headers: auth, json };
	const { json: asked } = (await service.send(sent)) as { json: Clip };
	const readClip = async () =>
		(await service.send({ path: `/v1/videos/${asked.video.id}`, headers: auth })).json as Video;
	const clip = await eventually(readClip, ({ state }) => ["available", "failed"].includes(state));
	expect(clip, JSON.stringify(logger.entries)).toMatchObject({
		...{ state: "available", duration_seconds: 2.2, width: 640, height: 360, visibility: "public" },
		outputs: {
			...Object.fromEntries(Object.entries(ready.outputs ?? {}).map(([key]) => [key, expect.anything()])),
			dash_url: null,
			chapters_url: null,
			web_mp4_outro_id: null,
		},
	});
	const frames = [
		"-v",
		"error",
		"-count_frames",
		"-select_streams",
		"v:0",
		"-show_entries",
		"stream=nb_read_frames",
		"-of",
		"csv=p=0",
	];
	const { stdout } = await run("ffprobe", [...frames, `${service.url}/videos/${clip.id}/hls/master.m3u8`]);
	expect(Number.parseInt(stdout, 10)).toBe(55);
});
