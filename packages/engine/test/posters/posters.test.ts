import { type Job, ReelmillError } from "@reelmill/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bytesOf, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000100000000a0802000000", "hex");
const claim = (takes_posters = true, worker = "w") =>
	opened.engine.jobs.claim(opened.worker, { worker, wait_seconds: 0, takes_posters });
const posters = () => opened.engine.posters;
const get = (id: string) => posters().get(tenant.principal, id);
const put = (id: string, at_seconds: number, preview = false) =>
	posters().put(tenant.principal, id, { at_seconds, preview });
const video = (id: string) => opened.engine.videos.get(tenant.principal, id);
const bytes = async (id: string, path: string) => {
	const file = await opened.engine.serving.open({ videoId: id, path, authorization: null });
	return Buffer.concat(await Array.fromAsync(await file.read())).toString();
};
const stored = async (id: string) =>
	(await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/${id}/posters/`))).map(({ key }) =>
		key.split("/").at(-1),
	);
/** No difference, however young. */
const check = async () => (await opened.engine.check.step({ young: true })).differences;

async function available(visibility: "public" | "private" = "public"): Promise<string> {
	const created = await uploadVideo(opened, tenant.principal, { visibility });
	await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, created.video.id, { worker: "w" }));
	return created.video.id;
}
const files = (job: Job) => ["poster.jpg", "og.jpg", ...(job.poster?.preview ? ["preview.webp"] : [])];
const send = (job: Job, says: string, paths = files(job)) =>
	opened.engine.jobs.replaceOutputs(
		job.id,
		job.lock,
		(async function* () {
			for (const path of paths) yield { path, bytes: bytesOf(`${says} ${path}`) };
		})(),
	);
const end = (job: Job) =>
	opened.engine.jobs.complete(job.id, {
		lock: job.lock,
		outputs: { files: files(job), renditions: [] },
		media: { duration_seconds: 1, width: 1, height: 1, transcript_status: "disabled", language: null },
	});
async function make(says: string): Promise<Job> {
	const job = (await claim()) as Job;
	await send(job, says);
	expect(await end(job)).toEqual({ id: job.id, state: "done" });
	return job;
}

describe("a poster", () => {
	it("is the transcoder's until the tenant chooses a frame, which takes its place, and comes back", async () => {
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
		expect((await video(id)).outputs).toMatchObject({
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
		await make("third");
		expect(await get(id)).toMatchObject({ at_seconds: 0, poster_url: url("poster.jpg", 2), preview_url: null });
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

	it("is made of a picture that was sent, which is gone afterwards", async () => {
		const id = await available("private");
		const sent = () => posters().put(tenant.principal, id, Uint8Array.from(png));
		expect(await sent()).toMatchObject({ state: "pending", source: "picture", at_seconds: null });
		expect(await stored(id)).toEqual(["picture"]);
		// It waits for as long as no worker comes.
		opened.clock.advance(3 * 86_400_000);
		await opened.engine.sweep();
		expect(await check()).toEqual([]);
		const job = (await claim()) as Job;
		expect(job).toMatchObject({
			source: { content_type: "image/png", file_size: png.length },
			poster: { at_seconds: null, preview: false },
		});
		expect(Buffer.concat(await Array.fromAsync(await (await opened.engine.jobs.source(job.id)).read()))).toEqual(png);
		await send(job, "made");
		await end(job);
		await opened.engine.sweep();
		expect((await stored(id)).toSorted()).toEqual(["og.jpg", "poster.jpg"]);
		expect(await get(id)).toMatchObject({ state: "available", source: "picture" });
		await expect(bytes(id, "poster.jpg")).rejects.toMatchObject({ code: "playback_key_required" });

		// What can't be read fails with its reason, and leaves the pictures as they are.
		await sent();
		const failing = (await claim()) as Job;
		const { lock } = failing;
		await opened.engine.jobs.fail(failing.id, { lock, reason: "invalid_media", retryable: false });
		expect(await get(id)).toMatchObject({
			state: "failed",
			failure_reason: "picture_unreadable",
			poster_url: expect.stringContaining("?v=1"),
		});
		await opened.engine.sweep();
		expect((await stored(id)).toSorted()).toEqual(["og.jpg", "poster.jpg"]);
		await posters().delete(tenant.principal, id);
		expect(await get(id)).toMatchObject({ state: "automatic" });
		expect(await check()).toEqual([]);
	});

	it("is that of the last call, also while another one is being made", async () => {
		const id = await available();
		await posters().put(tenant.principal, id, Uint8Array.from(png));
		const first = (await claim()) as Job;
		await send(first, "first");
		await put(id, 1);
		for (const late of [() => send(first, "late"), () => end(first), () => opened.engine.jobs.source(first.id)])
			await expect(late()).rejects.toMatchObject({ code: "video_not_found" });
		await opened.engine.sweep();
		expect(await stored(id)).toEqual([]);
		await Promise.all([put(id, 2), put(id, 3), put(id, 4)]);
		const { at_seconds } = await get(id);
		const job = await make("last");
		expect(job.poster?.at_seconds).toBe(at_seconds);
		expect(await claim()).toBeNull();
		// Nor does what was made of a call that was taken back.
		await put(id, 5);
		const gone = (await claim()) as Job;
		await posters().delete(tenant.principal, id);
		await expect(end(gone)).rejects.toMatchObject({ code: "video_not_found" });
		expect(await check()).toEqual([]);
	});

	it("survives lost workers, and is failed after the third spoiled attempt", async () => {
		const id = await available();
		await put(id, 1);
		const lost = (await claim()) as Job;
		await send(lost, "lost");
		opened.clock.advance(91_000);
		const next = (await claim(true, "other")) as Job;
		expect(next).toMatchObject({ id: lost.id, attempt: 1 });
		await expect(end(lost)).rejects.toMatchObject({ code: "not_lock_holder" });
		for (const attempt of [1, 2, 3]) {
			const job = attempt === 1 ? next : ((await claim(true, "other")) as Job);
			expect(job.attempt).toBe(attempt);
			const { lock } = job;
			await opened.engine.jobs.fail(job.id, { lock, reason: "storage_error", retryable: true });
			opened.clock.advance(10_000);
		}
		expect(await get(id)).toMatchObject({
			state: "failed",
			source: "frame",
			at_seconds: 1,
			failure_reason: "processing_failed",
		});
		await opened.engine.sweep();
		expect(await stored(id)).toEqual([]);
		expect(await check()).toEqual([]);
	});

	it("comes before videos, one of a domain at a time", async () => {
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

	it("goes with its video, and is for its own domain alone", async () => {
		const id = await available();
		const { principal } = await opened.tenant();
		for (const call of [
			() => posters().get(principal, id),
			() => posters().put(principal, id, { at_seconds: 0, preview: false }),
			() => posters().delete(principal, id),
		])
			await expect(call()).rejects.toMatchObject({ code: "video_not_found" });
		await put(id, 1);
		const job = (await claim()) as Job;
		await opened.engine.videos.delete(tenant.principal, id);
		await expect(end(job)).rejects.toBeInstanceOf(ReelmillError);
		await opened.engine.sweep();
		expect(await opened.database.query({ text: "select id from reelmill.posters", values: [] })).toEqual([]);
		const uploading = await uploadVideo(opened, tenant.principal);
		await expect(put(uploading.video.id, 0)).rejects.toMatchObject({ code: "invalid_state" });
	});
});
