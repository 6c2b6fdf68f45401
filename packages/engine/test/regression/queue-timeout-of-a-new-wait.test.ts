import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { beforeStatement, reading } from "../support/before-statement.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const day = 86_400_000;

it("times out no job that a worker took and gave back while the sweeper looked", async () => {
	const { jobs, videos } = opened.engine;
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	await opened.clock.advance(day);
	const takeAndGiveBack = async () => {
		const { lock } = await jobs.claimById(opened.worker, video.id, { worker: "w" });
		await jobs.fail(video.id, { lock, reason: "storage_error", retryable: true });
	};
	await createEngine({
		...opened.options,
		database: beforeStatement(opened.database, reading, takeAndGiveBack),
	}).sweep();
	expect((await videos.get(principal, video.id)).state).toBe("queued");
	await opened.clock.advance(day);
	await opened.engine.sweep();
	expect(await videos.get(principal, video.id)).toMatchObject({ state: "timeout", failure_reason: "queue_timeout" });
});

it("counts the wait for a processing slot towards the day without a worker", async () => {
	const { videos } = opened.engine;
	const { principal } = await opened.tenant(undefined, { max_concurrent_processing: 1 });
	const first = await uploadVideo(opened, principal);
	const second = await uploadVideo(opened, principal);
	await opened.clock.advance(day / 2);
	await videos.cancel(principal, first.video.id);
	expect((await videos.get(principal, second.video.id)).state).toBe("queued");
	await opened.clock.advance(day / 2);
	await opened.engine.sweep();
	expect((await videos.get(principal, second.video.id)).state).toBe("timeout");
});
