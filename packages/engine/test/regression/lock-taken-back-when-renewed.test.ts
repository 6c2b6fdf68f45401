import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { beforeStatement, saving } from "../support/before-statement.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

it("leaves the lock to a worker that renews it while the sweeper is about to take it back", async () => {
	const { jobs } = opened.engine;
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const { lock } = await jobs.claimById(opened.worker, video.id, { worker: "w" });
	await jobs.heartbeat(video.id, { lock, progress: 1 });
	await opened.clock.advance(90_000);
	const renew = () => jobs.heartbeat(video.id, { lock, progress: 2 });
	const sweeping = createEngine({ ...opened.options, database: beforeStatement(opened.database, saving, renew) });
	await sweeping.sweep();
	expect(await opened.engine.videos.get(principal, video.id)).toMatchObject({ state: "encoding", progress: 2 });
	await jobs.heartbeat(video.id, { lock, progress: 3 });
});
