import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CreatedOutro, CreatedVideo, Outro, Video } from "@reelmill/contracts";
import { systemClock } from "@reelmill/engine";
import { createRecordingLogger, type RecordingLogger } from "@reelmill/engine/testing";
import { createWorker, type Worker } from "@reelmill/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { eventually } from "../support/open-faulty-service.ts";
import { openService, type Service } from "../support/open-service.ts";

let service: Service;
let worker: Worker;
let directory: string;
let logger: RecordingLogger;
beforeAll(async () => {
	service = await openService({}, () => ({ clock: systemClock }));
	directory = await mkdtemp(join(tmpdir(), "reelmill-outros-"));
	const { secret } = await service.engine.accounts.ensure({ name: "worker" });
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	logger = createRecordingLogger();
	worker = createWorker({
		apiUrl: service.url,
		name: "worker",
		secret,
		workDirectory: join(directory, "work"),
		tools,
		logger,
	});
	worker.start();
});
afterAll(async () => {
	await worker.stop();
	await service.close();
	await rm(directory, { recursive: true });
});

const run = promisify(execFile);
const troubles = () => JSON.stringify(logger.entries.filter(({ level }) => level === "error" || level === "warn"));
it("an outro goes its whole way: uploaded, encoded, pinned as the default, and at the end of web.mp4 alone", async () => {
	const { auth } = await service.tenant({
		renditions: ["h264_720"],
		default_outro_slug: "tail",
		default_visibility: "public",
	});
	const initiate = async <T extends CreatedOutro | CreatedVideo>(
		path: string,
		bytes: Buffer,
		more: object = {},
	): Promise<T> => {
		const json = { content_type: "video/mp4", file_size: bytes.length, ...more };
		const created = (await service.send({ method: "POST", path, headers: auth, json })).json as T;
		const id = created.upload.metadata.video_id;
		const tus = { authorization: `Bearer ${created.upload.token}`, "tus-resumable": "1.0.0" };
		const metadata = `video_id ${Buffer.from(id).toString("base64")}`;
		await service.send({
			method: "POST",
			path: "/uploads",
			headers: { ...tus, "upload-length": String(bytes.length), "upload-metadata": metadata },
		});
		const headers = { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
		expect((await service.send({ method: "PATCH", path: `/uploads/${id}`, headers, body: bytes })).status).toBe(204);
		return created;
	};
	const read = async <T>(path: string) => (await service.send({ path, headers: auth })).json as T;
	const isOver = ({ state }: { state: string }) => ["available", "failed"].includes(state);

	const { outro } = await initiate<CreatedOutro>("/v1/outros", await makeSource(1), { slug: "tail" });
	const served = await eventually(() => read<Outro>("/v1/outros/tail"), isOver);
	expect(served, troubles()).toMatchObject({ state: "available", serving_outro_id: outro.id, width: 320 });
	const preview = await service.send({ path: "/v1/outros/tail/preview", headers: auth });
	expect(preview).toMatchObject({ status: 200, headers: { "content-type": "video/mp4" } });
	expect(preview.bytes.subarray(4, 8).toString()).toBe("ftyp");
	const { video } = await initiate<CreatedVideo>("/v1/videos", await makeSource(3, { size: "640x360" }));
	const done = await eventually(() => read<Video>(`/v1/videos/${video.id}`), isOver);
	expect(done, troubles()).toMatchObject({
		state: "available",
		duration_seconds: 3,
		outro_id: outro.id,
		outputs: { web_mp4_outro_id: outro.id },
	});

	const fetched = await service.send({ path: `/videos/${video.id}/web.mp4` });
	await writeFile(join(directory, "web.mp4"), fetched.bytes);
	const { stdout } = await run("ffprobe", [
		"-v",
		"error",
		"-show_entries",
		"format=duration",
		"-of",
		"csv=p=0",
		join(directory, "web.mp4"),
	]);
	expect(Math.abs(Number(stdout) - 4)).toBeLessThan(0.1);
	const playlist = (await service.send({ path: `/videos/${video.id}/hls/h264_360.m3u8` })).text;
	const lengths = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, seconds]) => Number(seconds));
	expect(lengths.reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(3, 1);
	expect((await service.send({ path: `/videos/${outro.id}/mezzanine.mp4` })).status).toBe(401);
	expect((await service.send({ path: "/v1/videos", headers: auth })).json).toMatchObject({ data: [{ id: video.id }] });
});
