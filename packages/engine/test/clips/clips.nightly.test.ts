import type { Clip, Difference } from "@reelmill/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openClips, type World } from "./open-clips.ts";

let world: World;
beforeEach(async () => {
	world = await openClips();
});
afterEach(() => world.close());

describe("a clip", () => {
	it("is listed with its source, newest first, until it is deleted", async () => {
		const source = await world.available();
		const list = async (cursor?: string) =>
			world.engine.clips.list(world.owner.principal, source, { limit: 2, cursor });
		const made: Clip[] = [];
		for (let n = 0; n < 3; n++) {
			world.clock.advance(1000);
			made.unshift(await world.cut(source, { start_seconds: n, title: n === 1 ? null : `Clip ${n}` }));
		}
		const first = await list();
		const second = await list(first.next_cursor ?? undefined);
		const listed = [...first.data, ...second.data];
		expect(listed.map(({ video: { id }, ...clip }) => ({ id, ...clip }))).toEqual(
			made.map(({ video: { id }, ...clip }) => ({ id, ...clip })),
		);
		expect(listed[0]?.video).toEqual(await world.video(made[0]?.video.id ?? ""));
		await world.engine.videos.delete(world.owner.principal, made[0]?.video.id ?? "");
		expect((await list()).data.map(({ start_seconds }) => start_seconds)).toEqual([1, 0]);
		const other = await world.tenant();
		const page = world.engine.clips.list(other.principal, source, { limit: 2 });
		await expect(page).rejects.toMatchObject({ code: "video_not_found" });
	});

	it("takes no slot and no place in the hourly limit of the person whose video it is cut of", async () => {
		const source = await world.available({ uploader_ref: "ada" });
		const pending = () =>
			world.engine.videos.create(world.owner.principal, {
				content_type: "video/mp4",
				file_size: 1,
				uploader_ref: "ada",
			});
		const { video } = await pending();
		for (let n = 0; n < 6; n++) await world.cut(source);
		await world.engine.videos.cancel(world.owner.principal, video.id);
		await expect(pending()).resolves.toBeDefined();
	});

	it("is made once under a key, at once too, and another stretch of the same key is refused", async () => {
		const source = await world.available();
		const made = await Promise.all([1, 2, 3].map(() => world.cut(source, {}, "key")));
		expect(new Set(made.map((clip) => JSON.stringify(clip))).size).toBe(1);
		await world.engine.videos.delete(world.owner.principal, source);
		expect(await world.cut(source, {}, "key")).toEqual(made[0]);
		await expect(world.cut(source, { start_seconds: 2 }, "key")).rejects.toMatchObject({ code: "validation_error" });
		expect(await world.rows("select from reelmill.clips")).toHaveLength(1);
	});

	it("goes with the person whose video it is cut of", async () => {
		const source = await world.available({ uploader_ref: "ada" });
		const { video: clip } = await world.cut(source, { external_ref: "order-1", title: "Ada turns the mill" });
		const erased = await world.engine.erasures.create(world.owner.principal, { uploader_ref: "ada" });
		expect(erased).toEqual({ deleted: 2, forgotten: 0 });
		await expect(world.video(clip.id)).rejects.toMatchObject({ code: "video_not_found" });
		expect(await world.rows("select from reelmill.video_titles")).toEqual([]);
	});

	it("lacks nothing in the eyes of the check while it waits", async () => {
		const source = await world.available();
		await world.cut(source);
		world.clock.advance(7 * 86_400_000);
		const found: Difference[] = [];
		let cursor: string | null | undefined;
		do {
			const step = await world.engine.check.step({ cursor: cursor ?? undefined, repair: true });
			found.push(...step.differences);
			cursor = step.cursor;
		} while (cursor !== null);
		expect(found).toEqual([]);
	});

	it("goes to another worker if its worker is lost, and ends with the queue's time if there is none", async () => {
		const { engine, worker } = world;
		const made = await world.cut(await world.available());
		const lost = await world.claim();
		await world.clock.advance(91_000);
		await engine.sweep();
		const input = { worker: "another", wait_seconds: 0, takes_clips: true };
		const job = await engine.jobs.claim(worker, input);
		expect(job).toMatchObject({ id: made.video.id, attempt: 2, losses: 1, clip: { start_seconds: 1 } });
		await expect(engine.jobs.heartbeat(made.video.id, { lock: lost?.lock ?? "", progress: 1 })).rejects.toMatchObject({
			code: "not_lock_holder",
		});
		await engine.jobs.fail(made.video.id, {
			...{ lock: job?.lock ?? "", reason: "storage_error", retryable: true, stopped: true },
		} as const);
		await world.clock.advance(2 * 86_400_000);
		await engine.sweep();
		expect(await world.video(made.video.id)).toMatchObject({ state: "timeout", failure_reason: "queue_timeout" });
	});
});
