import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { holdRow } from "../support/hold-row.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

/**
 * Holds the video's row as a statement at work on it does, until `whileHeld` is done or has had time to wait for it.
 */
async function holding(id: string, whileHeld: () => Promise<unknown>): Promise<void> {
	const row = await holdRow(opened.database, "select from reelmill.videos where id = $1 for update", id);
	const done = whileHeld();
	await Promise.race([done, sleep(500)]);
	await row.letGo();
	await done;
}

it("admits the oldest video, also while another statement is at work on it", async () => {
	const { principal } = await opened.tenant(undefined, { max_concurrent_processing: 1 });
	const ids: string[] = [];
	for (let index = 0; index < 3; index++) {
		ids.push((await uploadVideo(opened, principal)).video.id);
		await opened.clock.advance(1000);
	}
	const [first = "", second = ""] = ids;
	await holding(second, () => opened.engine.videos.cancel(principal, first));
	const states = await Promise.all(ids.map(async (id) => (await opened.engine.videos.get(principal, id)).state));
	expect(states).toEqual(["cancelled", "queued", "uploaded"]);
});

it("gives the job that a worker asks for by its id, also while another statement is at work on it", async () => {
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	await holding(video.id, () => opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
	expect((await opened.engine.videos.get(principal, video.id)).state).toBe("locked");
});
