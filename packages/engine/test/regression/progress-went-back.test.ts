import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { beforeStatement, saving } from "../support/before-statement.ts";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

async function claimed() {
	const { jobs, videos } = opened.engine;
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const claim = () => jobs.claimById(opened.worker, video.id, { worker: "w" });
	const progress = async () => (await videos.get(principal, video.id)).progress;
	return { jobs, principal, video, claim, progress, job: await claim() };
}

it("keeps the progress of the attempt that came furthest, until the video is available", async () => {
	const { jobs, video, claim, progress, job } = await claimed();
	await jobs.heartbeat(video.id, { lock: job.lock, progress: 60 });
	await jobs.fail(video.id, { lock: job.lock, reason: "storage_error", retryable: true });
	expect(await progress()).toBe(60);
	await opened.clock.advance(5000);
	const second = await claim();
	expect(await progress()).toBe(60);
	await jobs.heartbeat(video.id, { lock: second.lock, progress: 10 });
	expect(await progress()).toBe(60);
	await jobs.heartbeat(video.id, { lock: second.lock, progress: 70 });
	expect(await progress()).toBe(70);
	await finishJob(opened, second);
	expect(await progress()).toBe(100);
});

it.each(["fail", "cancel"] as const)(
	"keeps it when the job ends by %s, also what a heartbeat told meanwhile",
	async (end) => {
		const { jobs, principal, video, progress, job } = await claimed();
		await jobs.heartbeat(video.id, { lock: job.lock, progress: 40 });
		const beat = () => jobs.heartbeat(video.id, { lock: job.lock, progress: 41 });
		const other = createEngine({ ...opened.options, database: beforeStatement(opened.database, saving, beat) });
		if (end === "cancel") await other.videos.cancel(principal, video.id);
		else await other.jobs.fail(video.id, { lock: job.lock, reason: "invalid_media", retryable: false });
		expect(await progress()).toBe(41);
	},
);
