import type { Job } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engineActor } from "../../src/audit/index.ts";
import {
	bytesOf,
	clip,
	completion,
	deliver as deliverTo,
	finishJob,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const claim = () => opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 });
async function claimed() {
	const { video } = await uploadVideo(opened, tenant.principal);
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	return { id: video.id, job, video: () => opened.engine.videos.get(tenant.principal, video.id) };
}
const deliver = (job: Job) => deliverTo(opened, job);
const stale = "00000000-0000-4000-8000-000000000001";

describe("a job", () => {
	it("carries all that a worker needs", async () => {
		const { id, job } = await claimed();
		expect(job).toEqual({
			id,
			kind: "video",
			lock: expect.any(String),
			lock_expires_at: new Date(opened.clock.now() + 90_000).toISOString(),
			attempt: 1,
			last_attempt: false,
			source: { content_type: "video/mp4", file_size: 10 },
			// As much as 4K at 60 frames a second has in the longest time that the domain allows.
			limits: { max_duration_seconds: 180, max_decoded_pixels: 3840 * 2160 * 60 * 180 },
			plan: {
				renditions: ["h264_720", "h264_1080", "av1_720", "av1_1080"],
				outputs: { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true },
				transcript: false,
				moderation_frames: false,
				watermark: false,
				outro_id: null,
			},
			speed: "balanced",
			playable_first: false,
			outro: null,
			chunk: null,
			transcript: null,
			idle_workers: 0,
			video_id: id,
			domain_id: tenant.domain.id,
		});
	});

	it("tells the id of the request that made its video, or had it processed anew", async () => {
		const engine = createEngine({ ...opened.options, windows: { keepFailed: 86_400 } });
		const { video, upload } = await engine.videos.create(tenant.principal, clip, { requestId: "order-4711" });
		const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
		await engine.uploads.create(token, { videoId: video.id, length: 10 });
		await engine.uploads.append(token, video.id, 0, bytesOf("0123456789"));
		const claim = () => engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		const job = await claim();
		expect(job).toMatchObject({ request_id: "order-4711", video_id: video.id, domain_id: tenant.domain.id });
		await engine.jobs.fail(video.id, { lock: job.lock, reason: "storage_error", retryable: false });
		await engine.admin.reprocess(video.id, { ...engineActor, requestId: "operator-1" });
		expect(await claim()).toMatchObject({ request_id: "operator-1" });
	});

	it("tells no text that is no id of a request", async () => {
		for (const requestId of ["", "two words", "line\nbreak", "x".repeat(129), null]) {
			const { video } = await opened.engine.videos.create(tenant.principal, clip, { requestId });
			const [row] = await opened.database.query({
				text: "select request_id from reelmill.videos where id = $1",
				values: [video.id],
			});
			expect(row).toEqual({ request_id: null });
			await opened.engine.videos.cancel(tenant.principal, video.id);
		}
	});

	it("goes to one of twenty workers that ask at once", async () => {
		await uploadVideo(opened, tenant.principal);
		const jobs = await Promise.all(Array.from({ length: 20 }, claim));
		expect(jobs.filter((job) => job !== null)).toHaveLength(1);
	});

	it("wakes a waiting claim on the same server, and an aborted wait answers null", async () => {
		const waiting = opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 30 });
		const { video } = await uploadVideo(opened, tenant.principal);
		expect((await waiting)?.id).toBe(video.id);
		const leaving = new AbortController();
		const left = opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 30 }, leaving.signal);
		leaving.abort();
		expect(await left).toBeNull();
	});

	it("becomes encoding with the first heartbeat, which tells the measured source; progress never goes back", async () => {
		const { id, job, video } = await claimed();
		expect((await video()).state).toBe("locked");
		await opened.clock.advance(10_000);
		expect(
			await opened.engine.jobs.heartbeat(id, {
				lock: job.lock,
				progress: 40,
				probe: { duration_seconds: 7.64, width: 720, height: 404 },
			}),
		).toEqual({
			lock_expires_at: new Date(opened.clock.now() + 90_000).toISOString(),
		});
		expect(await video()).toMatchObject({
			state: "encoding",
			progress: 40,
			duration_seconds: 7.64,
			width: 720,
			height: 404,
		});
		await opened.engine.jobs.heartbeat(id, { lock: job.lock, progress: 30 });
		expect(await video()).toMatchObject({ progress: 40 });
	});

	it("shows what was measured of a source that is too large or too long, after it has failed", async () => {
		const { id, job, video } = await claimed();
		const declared = (await video()).duration_seconds;
		const beat = { lock: job.lock, progress: 0, probe: { width: 8192, height: 4400 } };
		await opened.engine.jobs.heartbeat(id, beat);
		await opened.engine.jobs.fail(id, { lock: job.lock, reason: "dimensions_too_large", retryable: false });
		expect(await video()).toMatchObject({
			failure_reason: "dimensions_too_large",
			duration_seconds: declared,
			width: 8192,
			height: 4400,
		});
	});

	it("is completed once its outputs are there, and then the source is gone", async () => {
		const { id, job, video } = await claimed();
		await finishJob(opened, job);
		expect(await video()).toMatchObject({
			state: "available",
			progress: 100,
			duration_seconds: 7.64,
			outputs: {
				hls_url: `https://video.example/videos/${id}/hls/master.m3u8`,
				dash_url: null,
				mp4_url: `https://video.example/videos/${id}/web.mp4`,
				thumbnail_url: `https://video.example/videos/${id}/og.jpg`,
				// A worker of before makes no poster.
				poster_url: null,
				storyboard_url: null,
				chapters_url: null,
				web_mp4_outro_id: null,
				renditions: [{ name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 2_000_000 }],
			},
		});
		expect(await opened.uploads.size(id)).toBeNull();
		await expect(opened.engine.jobs.source(id)).rejects.toMatchObject({ code: "file_not_found" });
	});

	it("tells a worker that asks for its source just as that is removed that it is gone", async () => {
		const { id } = await claimed();
		const source = await opened.engine.jobs.source(id);
		const { read } = opened.uploads;
		opened.uploads.read = async (upload, range) => {
			const found = await read(upload, range);
			await opened.uploads.discard(upload);
			return found;
		};
		await expect(source.read()).rejects.toMatchObject({ code: "file_not_found" });
	});

	it("names what is missing and keeps the lock, for files declared and files planned", async () => {
		const { id, job, video } = await claimed();
		await opened.engine.jobs.replaceOutputs(
			id,
			job.lock,
			(async function* () {
				yield { path: "web.mp4", bytes: bytesOf("x") };
			})(),
		);
		const request = completion(job);
		await expect(
			opened.engine.jobs.complete(id, {
				...request,
				outputs: { ...request.outputs, files: ["web.mp4", "media/a.mp4"] },
			}),
		).rejects.toMatchObject({
			code: "outputs_incomplete",
			extras: { missing: ["media/a.mp4", "hls/master.m3u8", "og.jpg"] },
		});
		expect((await video()).state).toBe("locked");
		await finishJob(opened, job);
		expect((await video()).state).toBe("available");
	});

	it("is not complete while a file has another size than its worker declared", async () => {
		const { job, video } = await claimed();
		const declared = (size: number) => ({
			...completion(job),
			outputs: { files: [...outputFiles, { path: "og.jpg", size }], renditions: [] },
		});
		const length = "bytes of og.jpg".length;
		await deliver(job);
		for (const size of [length - 1, length + 1, 0]) {
			await expect(opened.engine.jobs.complete(job.id, declared(size))).rejects.toMatchObject({
				code: "outputs_incomplete",
				extras: { missing: ["og.jpg"] },
			});
		}
		expect((await video()).state).toBe("locked");
		expect(await opened.engine.jobs.complete(job.id, declared(length))).toMatchObject({ state: "available" });
	});

	it("is delivered as an archive where its video is stored on the local disk", async () => {
		const { id, job } = await claimed();
		const asked = { lock: job.lock, files: [{ path: "web.mp4", size: 1 }] };
		expect(await opened.engine.jobs.outputUrls(id, asked, 10)).toEqual({ data: null, storage_owner: "platform" });
	});

	it("is not complete without the moderation frames that its domain asked for", async () => {
		await opened.engine.domains.updateConfig(tenant.domain.id, { moderation_frames: true });
		const { job } = await claimed();
		await expect(finishJob(opened, job)).rejects.toMatchObject({
			code: "outputs_incomplete",
			extras: { missing: ["frames/00001.jpg"] },
		});
	});

	it("keeps nothing of an archive with an evil path, and lets a second archive replace the first", async () => {
		const { id, job } = await claimed();
		const put = (...paths: string[]) =>
			opened.engine.jobs.replaceOutputs(
				id,
				job.lock,
				(async function* () {
					for (const path of paths) yield { path, bytes: bytesOf("x") };
				})(),
			);
		const stored = async () => {
			const keys: string[] = [];
			for await (const { key } of opened.outputs.list(`${tenant.domain.id}/${id}/`))
				keys.push(key.split("/").slice(4).join("/"));
			return keys;
		};
		for (const evil of ["../up", "/root", "a/../../b", "", "a//b", ".hidden", "a\\b", "a\0b"]) {
			await expect(put("web.mp4", evil)).rejects.toMatchObject({ code: "invalid_zip_entry" });
			expect(await stored()).toEqual([]);
		}
		await expect(put("web.mp4", "web.mp4")).rejects.toMatchObject({ code: "invalid_zip_entry" });
		await put("first.jpg");
		await put("second.jpg");
		expect(await stored()).toEqual(["SHA256SUMS", "second.jpg"]);
	});

	it("is fenced: state first, then lock", async () => {
		const { id, job } = await claimed();
		const { jobs } = opened.engine;
		const calls = (lock: string) => [
			() => jobs.heartbeat(id, { lock, progress: 1 }),
			() => jobs.replaceOutputs(id, lock, (async function* () {})()),
			() => jobs.outputUrls(id, { lock, files: [{ path: "web.mp4", size: 1 }] }, 10),
			() => jobs.complete(id, { ...completion(job), lock }),
			() => jobs.fail(id, { lock, reason: "invalid_media", retryable: false }),
		];
		for (const call of calls(stale)) await expect(call()).rejects.toMatchObject({ code: "not_lock_holder" });
		await opened.engine.videos.cancel(tenant.principal, id);
		for (const call of calls(job.lock)) await expect(call()).rejects.toMatchObject({ code: "invalid_video_state" });
		await expect(jobs.heartbeat(stale, { lock: stale, progress: 1 })).rejects.toMatchObject({
			code: "video_not_found",
		});
		await expect(jobs.source(stale)).rejects.toMatchObject({ code: "video_not_found" });
		await expect(jobs.claimById(opened.worker, id, { worker: "w" })).rejects.toMatchObject({
			code: "video_not_claimable",
		});
	});

	it("whose worker is silent for 90 s goes to another, and the stalled worker can change nothing", async () => {
		const { id, job, video } = await claimed();
		await opened.clock.advance(90_000);
		await opened.engine.sweep();
		expect((await video()).state).toBe("queued");
		const second = await opened.engine.jobs.claimById(opened.worker, id, { worker: "w2" });
		expect(second.attempt).toBe(2);
		await expect(finishJob(opened, job)).rejects.toMatchObject({ code: "not_lock_holder" });
		await finishJob(opened, second);
		expect((await video()).state).toBe("available");
	});

	it("fails with retries_exhausted after its third attempt, and with the worker's reason when that is final", async () => {
		const { id, job, video } = await claimed();
		await opened.engine.jobs.fail(id, { lock: job.lock, reason: "storage_error", retryable: true });
		expect((await video()).state).toBe("queued");
		expect(await claim()).toBeNull();
		await opened.clock.advance(5000);
		const second = await opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
		await opened.engine.jobs.fail(id, { lock: second.lock, reason: "storage_error", retryable: true });
		await opened.clock.advance(5000);
		expect(await claim()).toBeNull();
		await opened.clock.advance(5000);
		const third = await claim();
		expect(third).toMatchObject({ id, attempt: 3 });
		await opened.engine.jobs.fail(id, { lock: third?.lock ?? "", reason: "storage_error", retryable: true });
		expect(await video()).toMatchObject({ state: "failed", failure_reason: "retries_exhausted" });

		const other = await claimed();
		await opened.engine.jobs.fail(other.id, { lock: other.job.lock, reason: "invalid_media", retryable: false });
		expect(await other.video()).toMatchObject({ state: "failed", failure_reason: "invalid_media", outputs: null });
	});

	it.each([
		{ reason: "no_video_stream" as const, report: { failure: "The file has no video stream." } },
		{ reason: "source_missing" as const, report: null },
	])(
		"tells in its report what the worker said of the source, and of nothing else: $reason",
		async ({ reason, report }) => {
			const { id, job } = await claimed();
			await opened.engine.jobs.fail(id, {
				lock: job.lock,
				reason,
				retryable: false,
				message: "The file has no video stream.",
			});
			expect(await opened.engine.videos.report(tenant.principal, id)).toEqual({
				...{ video_id: id, warnings: [], report },
			});
		},
	);

	it("fails with processing_timeout after the processing limit, and times out with queue_timeout when nobody took it", async () => {
		const { id, job, video } = await claimed();
		for (let beat = 0; beat < 240; beat++) {
			await opened.clock.advance(60_000);
			await opened.engine.jobs.heartbeat(id, { lock: job.lock, progress: 10 });
		}
		await opened.engine.sweep();
		expect(await video()).toMatchObject({ state: "failed", failure_reason: "processing_timeout" });

		const { video: waiting } = await uploadVideo(opened, tenant.principal);
		await opened.clock.advance(86_400_000);
		await opened.engine.sweep();
		expect(await opened.engine.videos.get(tenant.principal, waiting.id)).toMatchObject({
			state: "timeout",
			failure_reason: "queue_timeout",
		});
	});

	it("leaves no output behind when its video is cancelled or deleted", async () => {
		for (const end of ["cancel", "delete"] as const) {
			const { id, job } = await claimed();
			if (end === "delete") await finishJob(opened, job);
			else {
				await opened.engine.jobs.replaceOutputs(
					id,
					job.lock,
					(async function* () {
						yield { path: outputFiles[0] as string, bytes: bytesOf("x") };
					})(),
				);
			}
			await opened.engine.videos[end](tenant.principal, id);
			for await (const { key } of opened.outputs.list(`${tenant.domain.id}/${id}/`)) throw new Error(`${key} is left`);
			const [left] = await opened.database.query({
				text: "select (select count(*) from reelmill.jobs where id = $1) as jobs, (select count(*) from reelmill.deletions) as deletions",
				values: [id],
			});
			expect(left).toEqual({ jobs: 0, deletions: 0 });
		}
	});
});

describe("a service account", () => {
	it("gets tokens for its own name and secret, and fails alike for an unknown name and a wrong secret", async () => {
		const { accounts } = opened.engine;
		const { service_account, secret } = await accounts.create({ name: "encoder-1" });
		await expect(accounts.create({ name: "encoder-1" })).rejects.toMatchObject({ code: "name_already_exists" });
		const { token } = await accounts.issueToken({ name: "encoder-1", secret });
		expect(await accounts.authenticate(`Bearer ${token}`)).toEqual({
			accountId: service_account.id,
			name: "encoder-1",
		});
		for (const wrong of [
			{ name: "encoder-1", secret: "x" },
			{ name: "nobody", secret },
		]) {
			await expect(accounts.issueToken(wrong)).rejects.toMatchObject({
				code: "invalid_credentials",
				message: "The service account's name or secret is wrong.",
			});
		}
		await opened.clock.advance(3_600_000);
		await expect(accounts.authenticate(`Bearer ${token}`)).rejects.toMatchObject({ code: "unauthorized" });
	});

	it("is told forbidden with a domain key or an upload token, unauthorized with anything else", async () => {
		const { accounts } = opened.engine;
		const { upload } = await opened.engine.videos.create(tenant.principal, { content_type: "video/mp4", file_size: 1 });
		await expect(accounts.authenticate(`Bearer ${tenant.apiKey}`)).rejects.toMatchObject({ code: "forbidden" });
		await expect(accounts.authenticate(`Bearer ${upload.token}`)).rejects.toMatchObject({ code: "forbidden" });
		for (const wrong of [null, "Bearer x", `Bearer ek_${"a".repeat(43)}`])
			await expect(accounts.authenticate(wrong)).rejects.toMatchObject({ code: "unauthorized" });
	});
});
