import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	bytesOf,
	completion,
	deliver,
	finishJob,
	type OpenedEngine,
	openEngine,
	uploadVideo,
} from "./support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

async function claimed(visibility: "private" | "public" = "public") {
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal, { visibility });
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	return { principal, id: video.id, job, get: () => opened.engine.videos.get(principal, video.id) };
}

describe("a storage that is older than the database", () => {
	it("has no source for a queued video: its worker is told so at once, and ends it with that reason after one attempt", async () => {
		const { id, job, get } = await claimed();
		await opened.uploads.discard(id);
		await expect(opened.engine.jobs.source(id)).rejects.toMatchObject({ code: "file_not_found", status: 404 });
		await opened.engine.jobs.fail(id, { lock: job.lock, reason: "source_missing", retryable: false });
		expect(await get()).toMatchObject({ state: "failed", failure_reason: "source_missing" });
	});

	it("has a part of a queued video's source: its worker is not given that as the whole", async () => {
		const { id } = await claimed();
		await opened.uploads.discard(id);
		await opened.uploads.create(id);
		await opened.uploads.append(id, 0, bytesOf("01234"), { limit: 10 });
		await expect(opened.engine.jobs.source(id)).rejects.toMatchObject({
			code: "file_not_found",
			message: "The storage has 5 of the upload's 10 bytes.",
		});
	});

	it("that can't say what it has fails no video", async () => {
		const { id, get } = await claimed();
		const { size } = opened.uploads;
		opened.uploads.size = async () => {
			throw new Error("EIO");
		};
		const refused = await opened.engine.jobs.source(id).catch((error: unknown) => error);
		opened.uploads.size = size;
		expect(refused).not.toMatchObject({ code: "file_not_found" });
		expect((await get()).state).toBe("locked");
	});

	it("has no files of a video that is available: its viewers are told so for good, and its operator loudly, once a minute", async () => {
		const { principal, id, job } = await claimed();
		await finishJob(opened, job);
		await opened.outputs.deletePrefix(`${principal.domainId}/`);
		const before = opened.engine.metrics.thisProcess().lostFiles;
		const read = async () =>
			(await opened.engine.serving.open({ videoId: id, path: "web.mp4", authorization: null })).read();
		for (let each = 0; each < 3; each++)
			await expect(read()).rejects.toMatchObject({
				code: "not_found",
				status: 404,
				message: expect.stringContaining("lost"),
			});
		expect(opened.engine.metrics.thisProcess().lostFiles - before).toBe(3);
		const told = () =>
			opened.logger.entries.filter(
				({ level, fields }) => level === "error" && "videoId" in fields && fields.videoId === id,
			).length;
		expect(told()).toBe(1);
		await opened.clock.advance(60_001);
		await expect(read()).rejects.toMatchObject({ code: "not_found" });
		expect(told()).toBe(2);
	});
});

describe("a worker that lies", () => {
	it("completes nothing, keeps its lock, and may tell the truth afterwards", async () => {
		const { id, job, get } = await claimed();
		await deliver(opened, job);
		const honest = completion(job);
		const { jobs } = opened.engine;
		for (const media of [{ duration_seconds: 1e9 }, { duration_seconds: 0 }, { width: 1_000_000, height: 1_000_000 }]) {
			await expect(jobs.complete(id, { ...honest, media: { ...honest.media, ...media } })).rejects.toMatchObject({
				code: "validation_error",
			});
		}
		await expect(
			jobs.complete(id, { ...honest, media: { ...honest.media, duration_seconds: 60 } }),
		).rejects.toMatchObject({
			code: "outputs_incomplete",
			extras: { missing: ["hls/master.m3u8"] },
			message: "hls/master.m3u8 lasts 7.64 s, the video 60 s.",
		});
		expect(await get()).toMatchObject({ state: "locked", duration_seconds: null });
		expect(await jobs.complete(id, honest)).toMatchObject({ state: "available" });
	});
});
