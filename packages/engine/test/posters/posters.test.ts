import type { Job } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beforeStatement } from "../support/before-statement.ts";
import { uploadVideo } from "../support/open-engine.ts";
import { openPosters, type Posters } from "../support/open-posters.ts";

let world: Posters;
let opened: Posters["opened"];
let tenant: Posters["tenant"];
beforeEach(async () => {
	world = await openPosters();
	({ opened, tenant } = world);
});
afterEach(() => opened.close());
const posters = () => opened.engine.posters;

describe("a poster", () => {
	it("is the transcoder's until the tenant chooses a frame, which takes its place, and comes back", async () => {
		const { claim, send, end, get, put, available, bytes, stored, check } = world;
		const id = await available();
		const url = (path: string, edit?: number) =>
			`https://video.example/videos/${id}/${path}${edit === undefined ? "" : `?v=${edit}`}`;
		const none = { source: null, at_seconds: null, failure_reason: null, preview_url: null };
		const automatic = { ...none, state: "automatic", poster_url: null, thumbnail_url: url("og.jpg") };
		expect(await get(id)).toEqual(automatic);
		const before = (await opened.engine.usage.get(tenant.principal)).storage_bytes;
		await expect(put(id, 7.64)).rejects.toMatchObject({
			code: "validation_error",
			message: "at_seconds: the video lasts 7.640 s",
		});

		const pending = { ...automatic, state: "pending", source: "frame", at_seconds: 2.5 };
		expect(await put(id, 2.5, true)).toEqual(pending);
		expect(await get(id)).toEqual(pending);
		expect(await claim(false)).toBeNull();
		const waiting = await uploadVideo(opened, tenant.principal);
		const job = (await claim()) as Job;
		expect(job).toMatchObject({
			kind: "poster",
			video_id: id,
			source: { content_type: "video/mp4" },
			plan: { transcript: false, watermark: false },
			poster: { at_seconds: 2.5, preview: true, width: 1280, height: 720 },
		});
		expect(job.id).not.toBe(id);
		const source = await opened.engine.jobs.source(job.id);
		expect(Buffer.concat(await Array.fromAsync(await source.read())).toString()).toBe("bytes of media/h264_720.mp4");
		expect((await opened.engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 50 })).lock_expires_at).toBeTypeOf(
			"string",
		);
		expect(await opened.engine.jobs.mostEntries(job.id, job.lock)).toBeGreaterThan(2);
		await send(job, "old");
		await send(job, "new");
		expect(await check()).toEqual([]);
		await end(job);
		expect(await get(id)).toEqual({
			...none,
			...{ state: "available", source: "frame", at_seconds: 2.5 },
			poster_url: url("poster.jpg", 1),
			thumbnail_url: url("og.jpg", 1),
			preview_url: url("preview.webp", 1),
		});
		expect((await opened.engine.videos.get(tenant.principal, id)).outputs).toMatchObject({
			poster_url: url("poster.jpg", 1),
			thumbnail_url: url("og.jpg", 1),
		});
		expect([await bytes(id, "og.jpg"), await bytes(id, "preview.webp")]).toEqual(["new og.jpg", "new preview.webp"]);
		const made = ["new poster.jpg", "new og.jpg", "new preview.webp"].join("").length - "bytes of og.jpg".length;
		expect((await opened.engine.usage.get(tenant.principal)).storage_bytes).toBe(
			before + waiting.video.file_size + made,
		);
		expect(await check()).toEqual([]);
		await expect(opened.engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 60 })).rejects.toMatchObject({
			code: "video_not_found",
		});
		await expect(opened.engine.jobs.source(job.id)).rejects.toMatchObject({ code: "video_not_found" });

		// Another one, without a moving preview, takes the place of all three.
		await put(id, 0);
		const third = (await claim()) as Job;
		await send(third, "third");
		const ofThird = { at_seconds: 0, poster_url: url("poster.jpg", 2), preview_url: null };
		// Whoever asks while it ends gets no mixture of the one before and the end of this one.
		const database = beforeStatement(opened.database, /select at_seconds from reelmill\.posters/, () => end(third));
		const asking = createEngine({ ...opened.options, database });
		expect(await asking.posters.get(tenant.principal, id)).toMatchObject({ state: "available", ...ofThird });
		await asking.stop();
		expect(await get(id)).toMatchObject(ofThird);
		await posters().delete(tenant.principal, id);
		expect(await get(id)).toEqual(automatic);
		expect(await bytes(id, "og.jpg")).toBe("bytes of og.jpg");
		expect((await opened.engine.usage.get(tenant.principal)).storage_bytes).toBe(before + waiting.video.file_size);
		await expect(posters().delete(tenant.principal, id)).rejects.toMatchObject({ code: "not_found" });
		expect(await check()).toEqual([]);
		opened.clock.advance(2 * 3_600_000);
		await opened.engine.sweep();
		expect(await stored(id)).toEqual([]);
	});

	it("comes before videos, one of a domain at a time", async () => {
		const { claim, put, available } = world;
		const [one, other] = [await available(), await available()];
		await put(one, 1);
		opened.clock.advance(1000);
		await put(other, 1);
		const { video: queued } = await uploadVideo(opened, tenant.principal);
		expect([await claim(), await claim(), await claim(), await claim()].map((job) => job?.video_id ?? null)).toEqual([
			one,
			queued.id,
			other,
			null,
		]);
	});
});
