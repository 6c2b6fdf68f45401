import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
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
	const { database } = opened;
	const lock =
		"with held as materialized (select id from reelmill.videos where id = $1 for update) select pg_sleep(60) from held";
	const letGo =
		"select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
	const held = database.query({ text: lock, values: [id] }).catch(() => undefined);
	const isFree = async () =>
		(await database.query({ text: "select from reelmill.videos where id = $1 for update skip locked", values: [id] }))
			.length > 0;
	while (await isFree()) await new Promise((resolve) => setImmediate(resolve));
	const done = whileHeld();
	await Promise.race([done, sleep(500)]);
	await database.query({ text: letGo, values: [] });
	await Promise.all([held, done]);
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
