import type { CreateClip, Job } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beforeStatement } from "../support/before-statement.ts";
import { holdRow } from "../support/hold-row.ts";
import { uploadVideo } from "../support/open-engine.ts";
import { finishWith, wholeOutputs } from "../support/whole-outputs.ts";
import { files, openClips, stretch, type World, words } from "./open-clips.ts";

let world: World;
beforeEach(async () => {
	world = await openClips();
});
afterEach(() => world.close());

const claimed = async (): Promise<Job> => {
	const job = await world.claim();
	if (job === null) throw new Error("No job waits.");
	return job;
};
const usage = () => world.engine.usage.get(world.owner.principal);
const textOf = async (id: string, path: string) =>
	Buffer.concat(await Array.fromAsync(await (await world.engine.jobs.source(id, path)).read())).toString();

describe("a clip", () => {
	it("is a video that waits for a worker at once, and is made of the files that its source has now", async () => {
		const source = await world.available({ uploader_ref: "ada", visibility: "private" });
		await world.engine.metadata.set(world.owner.principal, source, { title: "The mill", values: { course: "b" } });
		for (const text of ["wrong", "corrected"])
			await world.engine.captions.put(world.owner.principal, source, { language: "en", text: words(text) });
		const before = await usage();
		const made = await world.cut(source, { external_ref: "order-1" });
		const { id } = made.video;
		expect(made).toEqual({
			...{ video: { ...(await world.video(id)), state: "uploaded" }, source_video_id: source, ...stretch },
			title: "The mill",
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
		expect(await world.rows("select * from reelmill.recount()")).toEqual([]);
		expect(await world.engine.metadata.get(world.owner.principal, id)).toMatchObject({ title: "The mill", values: {} });

		const job = await claimed();
		expect(job).toMatchObject({
			...{ id, kind: "video", attempt: 1, plan: { moderation_frames: false, transcript: false } },
			clip: { ...stretch, language: "en" },
		});
		const paths = Object.keys(files).filter((path) => !path.endsWith(".jpg") || path.startsWith("storyboard/"));
		const captions = ["captions/en.2.vtt", "hls/captions_en.2.m3u8"];
		expect(job.clip?.files.map(({ path }) => path).sort()).toEqual([...paths, ...captions].sort());
		for (const { path, size } of job.clip?.files ?? []) expect((await textOf(id, path)).length).toBe(size);
		expect(await textOf(id, "transcript.vtt")).toBe(words("corrected"));
		await expect(world.engine.jobs.source(id)).rejects.toMatchObject({ code: "file_not_found" });
		await expect(world.engine.jobs.source(id, "none.mp4")).rejects.toMatchObject({ code: "file_not_found" });
		await expect(world.engine.jobs.source(source, "web.mp4")).rejects.toMatchObject({ code: "file_not_found" });

		const moved = { ...wholeOutputs, "captions/en.2.vtt": words("corrected"), "transcript.vtt": words("corrected") };
		await finishWith(world.engine, job, moved, { transcript_status: "available", language: "en" });
		expect(await world.video(id)).toMatchObject({ state: "available", duration_seconds: 7.64 });
		const captionsOf = async (one: string) =>
			(await world.engine.captions.list(world.owner.principal, one)).data.map(({ url, ...track }) => track);
		expect(await captionsOf(id)).toEqual(await captionsOf(source));
		// Playlists lead to the words without a version, and caches keep those of the clip's first ones for a day.
		const again = { language: "en", text: words("corrected again") };
		expect((await world.engine.captions.put(world.owner.principal, id, again)).url).toContain("/captions/en.3.vtt");
		expect(await world.rows("select * from reelmill.recount()")).toEqual([]);
		const { moves } = await world.engine.videos.timeline(world.owner.principal, id);
		expect(moves.map(({ state }) => state)).toEqual(["uploaded", "queued", "locked", "available"]);
		await expect(world.engine.jobs.source(id, "web.mp4")).resolves.toMatchObject({ size: 15 });
	});

	it("is refused where its stretch isn't one of an available video of one's own, by the name of the field", async () => {
		const source = await world.available();
		const refusals: [Partial<CreateClip>, string][] = [
			[{ start_seconds: 7.64, end_seconds: 9 }, "start_seconds: the video lasts 7.640 s"],
			[{ end_seconds: 7.65 }, "end_seconds: the video lasts 7.640 s"],
			[{ end_seconds: 1.4 }, "end_seconds: must be at least 0.5 s after start_seconds"],
		];
		for (const [input, message] of refusals)
			await expect(world.cut(source, input)).rejects.toMatchObject({ code: "validation_error", message });
		const { video: waiting } = await uploadVideo(world, world.owner.principal);
		await expect(world.cut(waiting.id)).rejects.toMatchObject({ code: "invalid_state" });
		const other = await world.tenant();
		await expect(world.engine.clips.create(other.principal, source, stretch)).rejects.toMatchObject({
			code: "video_not_found",
		});
		await expect(world.cut(source, { outro_slug: "none" })).rejects.toMatchObject({ code: "outro_not_found" });
		await world.engine.domains.updateConfig(world.owner.domain.id, { max_duration_seconds: 3 });
		await expect(world.cut(source)).rejects.toMatchObject({ code: "duration_too_long" });
		await world.engine.admin.updateDomain(world.owner.domain.id, { limits: { daily_upload_bytes: 30 } });
		await expect(world.cut(source, { end_seconds: 2 })).rejects.toMatchObject({ code: "upload_quota_exceeded" });
		expect(await world.rows("select from reelmill.clips")).toEqual([]);
	});

	it("is given to no worker that doesn't cut, and to no server that knows no clips", async () => {
		const source = await world.available();
		const { video: clip } = await world.cut(source);
		expect(await world.claim(false)).toBeNull();
		const { jobs } = world.engine;
		const byId = (takes_clips?: boolean) => jobs.claimById(world.worker, clip.id, { worker: "w", takes_clips });
		await expect(byId()).rejects.toMatchObject({ code: "video_not_claimable" });
		// As a server of the release before asks, and as it gives a job back.
		const old = "select id from reelmill.jobs where lock is null and not_before <= '9000-01-01'";
		expect(await world.rows(old)).toEqual([]);
		await expect(
			world.rows(`update reelmill.jobs set lock = id, claimed_at = '2030-01-01' where id = '${clip.id}'`),
		).rejects.toThrow("a clip is for servers that know clips");
		const job = await byId(true);
		expect(job).toMatchObject({ id: clip.id, clip: stretch });
		await jobs.fail(job.id, { lock: job.lock, reason: "storage_error", retryable: true });
		expect(await world.rows(old)).toEqual([]);
		expect(await world.claim()).toBeNull();
		world.clock.advance(5000);
		expect(await world.claim()).toMatchObject({ id: clip.id, attempt: 2 });
		// Its worker is lost, and comes back: an older one beside it is no reason to wait.
		await jobs.claim(world.worker, { worker: "older", wait_seconds: 0 });
		await world.clock.advance(91_000);
		await world.engine.sweep();
		expect(await world.claim()).toMatchObject({ id: clip.id, attempt: 3 });
	});

	it("is made of its source as that is when the clip begins, and of none that somebody erased meanwhile", async () => {
		const { engine, owner } = world;
		const meanwhile = async (source: string, hook: () => Promise<unknown>) => {
			const database = beforeStatement(world.database, /initiate_upload/, hook);
			const server = createEngine({ ...world.options, database });
			const made = server.clips.create(owner.principal, source, stretch, undefined, { idempotencyKey: source });
			return made.finally(() => server.stop());
		};
		const open = await world.available({ visibility: "public" });
		const close = () => engine.videos.setVisibility(owner.principal, open, "private");
		expect((await meanwhile(open, close)).video).toMatchObject({ visibility: "private" });
		const source = await world.available({ uploader_ref: "ada" });
		const erase = () => engine.erasures.create(owner.principal, { uploader_ref: "ada" });
		await expect(meanwhile(source, erase)).rejects.toMatchObject({ code: "video_not_found" });
		expect(await world.rows("select from reelmill.videos where uploader_ref = 'ada'")).toEqual([]);
		expect(await world.rows("select * from reelmill.recount()")).toEqual([]);
	});

	it("keeps no name that is erased while its first statement runs", async () => {
		const { engine, owner } = world;
		const source = await world.available({ uploader_ref: "ada" });
		const domain = await holdRow(world.database, "select from reelmill.domains for update");
		const made = world.cut(source, { external_ref: "order-1", title: "Ada turns the mill" });
		await domain.waiters(1);
		const erased = engine.erasures.create(owner.principal, { uploader_ref: "ada" });
		await domain.waiters(2);
		await domain.letGo();
		await made;
		expect(await erased).toEqual({ deleted: 2, forgotten: 0 });
		expect(
			await world.rows(
				"select from reelmill.videos where uploader_ref is not null or external_ref is not null or deleted_at is null",
			),
		).toEqual([]);
		expect(await world.rows("select from reelmill.video_titles")).toEqual([]);
		expect(await world.rows("select from reelmill.audit where action = 'uploader.erased'")).toHaveLength(1);
	});

	it("is made again at once, however often its source changes while it is made, and fails after three other failures", async () => {
		const source = await world.available();
		const { video: clip } = await world.cut(source);
		const failed = async () => {
			const { id, lock } = await claimed();
			return () => world.engine.jobs.fail(id, { lock, reason: "storage_error", retryable: true });
		};
		for (let start = 0; start < 5; start++) {
			const fail = await failed();
			await world.clock.advance(1);
			const chapters = [{ start_seconds: start, title: "Chapter" }];
			await world.engine.chapters.put(world.owner.principal, source, chapters);
			expect(await fail()).toEqual({ id: clip.id, state: "queued" });
			await world.clock.advance(1);
		}
		for (const state of ["queued", "queued", "failed"]) {
			expect(await (await failed())()).toEqual({ id: clip.id, state });
			await world.clock.advance(20_000);
		}
	});

	it("fails with its reason if its source is deleted before, and may be tried anew like any other", async () => {
		const source = await world.available();
		const { video: clip } = await world.cut(source);
		await world.engine.videos.delete(world.owner.principal, source);
		const job = await claimed();
		expect(job.clip).toMatchObject({ files: [] });
		await expect(world.engine.jobs.source(clip.id, "web.mp4")).rejects.toMatchObject({ code: "file_not_found" });
		await world.engine.jobs.fail(job.id, { lock: job.lock, reason: "source_missing", retryable: false });
		expect(await world.video(clip.id)).toMatchObject({ state: "failed", failure_reason: "source_missing" });
		const by = { kind: "admin_key", id: null, label: "...", address: null, requestId: null } as const;
		expect(await world.engine.admin.reprocess(clip.id, by)).toMatchObject({ state: "queued" });
	});
});
