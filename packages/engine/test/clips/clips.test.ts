import type { Clip, CreateClip, Difference, Job } from "@reelmill/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";
import { finishWith, wholeOutputs } from "../support/whole-outputs.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const words = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;
const pictures = { "storyboard.vtt": "WEBVTT\n", "storyboard/1.jpg": "s", "frames/00001.jpg": "f", "poster.jpg": "p" };
const files = { ...wholeOutputs, ...pictures, "transcript.vtt": words("made") };
const stretch: CreateClip = { start_seconds: 1, end_seconds: 4.82 };

/** A video of 7.64 s that is available. */
async function available(more: Parameters<typeof uploadVideo>[2] = {}): Promise<string> {
	const { video } = await uploadVideo(opened, tenant.principal, { transcript: true, ...more });
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	await finishWith(opened.engine, job, files, { transcript_status: "available", language: "en" });
	return video.id;
}
const cut = (id: string, input: Partial<CreateClip> = {}, idempotencyKey?: string) =>
	opened.engine.clips.create(tenant.principal, id, { ...stretch, ...input }, undefined, { idempotencyKey });
const claim = (takes_clips = true) =>
	opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0, takes_clips });
const claimed = async (): Promise<Job> => {
	const job = await claim();
	if (job === null) throw new Error("No job waits.");
	return job;
};
const video = (id: string) => opened.engine.videos.get(tenant.principal, id);
const usage = () => opened.engine.usage.get(tenant.principal);
const textOf = async (id: string, path: string) =>
	Buffer.concat(await Array.fromAsync(await (await opened.engine.jobs.source(id, path)).read())).toString();
const rows = (text: string) => opened.database.query<{ [column: string]: unknown }>({ text, values: [] });

describe("a clip", () => {
	it("is a video that waits for a worker at once, and is made of the files that its source has now", async () => {
		const source = await available({ uploader_ref: "ada", visibility: "private" });
		await opened.engine.metadata.set(tenant.principal, source, { title: "The mill", values: { course: "b" } });
		await opened.engine.captions.put(tenant.principal, source, { language: "en", text: words("corrected") });
		const before = await usage();
		const made = await cut(source, { external_ref: "order-1" });
		const { id } = made.video;
		expect(made).toEqual({
			...{ video: { ...(await video(id)), state: "uploaded" }, source_video_id: source, ...stretch },
			created_at: made.video.created_at,
		});
		expect(made.video).toMatchObject({
			...{ state: "uploaded", visibility: "private", external_ref: "order-1", uploader_ref: "ada" },
			...{ content_type: "video/mp4", duration_seconds: 3.82, transcript_status: "disabled", outputs: null },
			uploaded_at: made.video.created_at,
		});
		// Half of the video's length, and of its bytes: nothing else is stored.
		expect(Math.abs(2 * made.video.file_size - before.storage_bytes)).toBeLessThan(3);
		expect(await usage()).toMatchObject({ storage_bytes: before.storage_bytes + made.video.file_size });
		expect(await rows("select * from reelmill.recount()")).toEqual([]);
		expect(await opened.engine.metadata.get(tenant.principal, id)).toMatchObject({ title: "The mill", values: {} });

		const job = await claimed();
		expect(job).toMatchObject({
			...{ id, kind: "video", attempt: 1, plan: { moderation_frames: false, transcript: false } },
			clip: { ...stretch, language: "en" },
		});
		const paths = Object.keys(files).filter((path) => !(path in pictures) && path !== "og.jpg");
		const captions = ["captions/en.1.vtt", "hls/captions_en.1.m3u8"];
		expect(job.clip?.files.map(({ path }) => path).sort()).toEqual([...paths, ...captions].sort());
		for (const { path, size } of job.clip?.files ?? []) expect((await textOf(id, path)).length).toBe(size);
		expect(await textOf(id, "transcript.vtt")).toBe(words("corrected"));
		await expect(opened.engine.jobs.source(id)).rejects.toMatchObject({ code: "file_not_found" });
		await expect(opened.engine.jobs.source(id, "none.mp4")).rejects.toMatchObject({ code: "file_not_found" });
		await expect(opened.engine.jobs.source(source, "web.mp4")).rejects.toMatchObject({ code: "file_not_found" });

		const moved = { ...wholeOutputs, "captions/en.1.vtt": words("corrected"), "transcript.vtt": words("corrected") };
		await finishWith(opened.engine, job, moved, { transcript_status: "available", language: "en" });
		expect(await video(id)).toMatchObject({ state: "available", duration_seconds: 7.64 });
		const captionsOf = async (one: string) =>
			(await opened.engine.captions.list(tenant.principal, one)).data.map(({ url, ...track }) => track);
		expect(await captionsOf(id)).toEqual(await captionsOf(source));
		expect(await rows("select * from reelmill.recount()")).toEqual([]);
		const { moves } = await opened.engine.videos.timeline(tenant.principal, id);
		expect(moves.map(({ state }) => state)).toEqual(["uploaded", "queued", "locked", "available"]);
		await expect(opened.engine.jobs.source(id, "web.mp4")).resolves.toMatchObject({ size: 15 });
	});

	it("is listed with its source, newest first, until it is deleted", async () => {
		const source = await available();
		const list = async (cursor?: string) => opened.engine.clips.list(tenant.principal, source, { limit: 2, cursor });
		const made: Clip[] = [];
		for (let n = 0; n < 3; n++) {
			opened.clock.advance(1000);
			made.unshift(await cut(source, { start_seconds: n }));
		}
		const first = await list();
		const second = await list(first.next_cursor ?? undefined);
		const listed = [...first.data, ...second.data];
		expect(listed.map(({ video: { id }, ...clip }) => ({ id, ...clip }))).toEqual(
			made.map(({ video: { id }, ...clip }) => ({ id, ...clip })),
		);
		expect(listed[0]?.video).toEqual(await video(made[0]?.video.id ?? ""));
		await opened.engine.videos.delete(tenant.principal, made[0]?.video.id ?? "");
		expect((await list()).data.map(({ start_seconds }) => start_seconds)).toEqual([1, 0]);
		const other = await opened.tenant();
		const page = opened.engine.clips.list(other.principal, source, { limit: 2 });
		await expect(page).rejects.toMatchObject({ code: "video_not_found" });
	});

	it("is refused where its stretch isn't one of an available video of one's own, by the name of the field", async () => {
		const source = await available();
		const refusals: [Partial<CreateClip>, string][] = [
			[{ start_seconds: 7.64, end_seconds: 9 }, "start_seconds: the video lasts 7.640 s"],
			[{ end_seconds: 7.65 }, "end_seconds: the video lasts 7.640 s"],
			[{ end_seconds: 1.4 }, "end_seconds: must be at least 0.5 s after start_seconds"],
		];
		for (const [input, message] of refusals)
			await expect(cut(source, input)).rejects.toMatchObject({ code: "validation_error", message });
		const { video: waiting } = await uploadVideo(opened, tenant.principal);
		await expect(cut(waiting.id)).rejects.toMatchObject({ code: "invalid_state" });
		const other = await opened.tenant();
		await expect(opened.engine.clips.create(other.principal, source, stretch)).rejects.toMatchObject({
			code: "video_not_found",
		});
		await expect(cut(source, { outro_slug: "none" })).rejects.toMatchObject({ code: "outro_not_found" });
		await opened.engine.domains.updateConfig(tenant.domain.id, { max_duration_seconds: 3 });
		await expect(cut(source)).rejects.toMatchObject({ code: "duration_too_long" });
		await opened.engine.admin.updateDomain(tenant.domain.id, { limits: { daily_upload_bytes: 30 } });
		await expect(cut(source, { end_seconds: 2 })).rejects.toMatchObject({ code: "upload_quota_exceeded" });
		expect(await rows("select from reelmill.clips")).toEqual([]);
	});

	it("takes no slot and no place in the hourly limit of the person whose video it is cut of", async () => {
		const source = await available({ uploader_ref: "ada" });
		const pending = () =>
			opened.engine.videos.create(tenant.principal, { content_type: "video/mp4", file_size: 1, uploader_ref: "ada" });
		const { video } = await pending();
		for (let n = 0; n < 6; n++) await cut(source);
		await opened.engine.videos.cancel(tenant.principal, video.id);
		await expect(pending()).resolves.toBeDefined();
	});

	it("is made once under a key, at once too, and another stretch of the same key is refused", async () => {
		const source = await available();
		const made = await Promise.all([1, 2, 3].map(() => cut(source, {}, "key")));
		expect(new Set(made.map((clip) => JSON.stringify(clip))).size).toBe(1);
		await opened.engine.videos.delete(tenant.principal, source);
		expect(await cut(source, {}, "key")).toEqual(made[0]);
		await expect(cut(source, { start_seconds: 2 }, "key")).rejects.toMatchObject({ code: "validation_error" });
		expect(await rows("select from reelmill.clips")).toHaveLength(1);
	});

	it("is given to no worker that doesn't cut, and to no server that knows no clips", async () => {
		const source = await available();
		const { video: clip } = await cut(source);
		expect(await claim(false)).toBeNull();
		const { jobs } = opened.engine;
		const byId = (takes_clips?: boolean) => jobs.claimById(opened.worker, clip.id, { worker: "w", takes_clips });
		await expect(byId()).rejects.toMatchObject({ code: "video_not_claimable" });
		// As a server of the release before asks, and as it gives a job back.
		const old = "select id from reelmill.jobs where lock is null and not_before <= '9000-01-01'";
		expect(await rows(old)).toEqual([]);
		await expect(
			rows(`update reelmill.jobs set lock = id, claimed_at = '2030-01-01' where id = '${clip.id}'`),
		).rejects.toThrow("a clip is for servers that know clips");
		const job = await byId(true);
		expect(job).toMatchObject({ id: clip.id, clip: stretch });
		await jobs.fail(job.id, { lock: job.lock, reason: "storage_error", retryable: true });
		expect(await rows(old)).toEqual([]);
		expect(await claim()).toBeNull();
		opened.clock.advance(5000);
		expect(await claim()).toMatchObject({ id: clip.id, attempt: 2 });
	});

	it("fails with its reason if its source is deleted before, and may be tried anew like any other", async () => {
		const source = await available();
		const { video: clip } = await cut(source);
		await opened.engine.videos.delete(tenant.principal, source);
		const job = await claimed();
		expect(job.clip).toMatchObject({ files: [] });
		await expect(opened.engine.jobs.source(clip.id, "web.mp4")).rejects.toMatchObject({ code: "file_not_found" });
		await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "source_missing", retryable: false });
		expect(await video(clip.id)).toMatchObject({ state: "failed", failure_reason: "source_missing" });
		const by = { kind: "admin_key", id: null, label: "...", address: null, requestId: null } as const;
		expect(await opened.engine.admin.reprocess(clip.id, by)).toMatchObject({ state: "queued" });
	});

	it("goes with the person whose video it is cut of", async () => {
		const source = await available({ uploader_ref: "ada" });
		const { video: clip } = await cut(source, { external_ref: "order-1", title: "Ada turns the mill" });
		const erased = await opened.engine.erasures.create(tenant.principal, { uploader_ref: "ada" });
		expect(erased).toEqual({ deleted: 2, forgotten: 0 });
		await expect(video(clip.id)).rejects.toMatchObject({ code: "video_not_found" });
		expect(await rows("select from reelmill.video_titles")).toEqual([]);
	});

	it("lacks nothing in the eyes of the check while it waits", async () => {
		const source = await available();
		await cut(source);
		opened.clock.advance(7 * 86_400_000);
		const found: Difference[] = [];
		let cursor: string | null | undefined;
		do {
			const step = await opened.engine.check.step({ cursor: cursor ?? undefined, repair: true });
			found.push(...step.differences);
			cursor = step.cursor;
		} while (cursor !== null);
		expect(found).toEqual([]);
	});
});
