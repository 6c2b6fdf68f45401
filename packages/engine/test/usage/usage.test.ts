import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	clip,
	contentOf,
	finishJob,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const hour = 3_600_000;
const usage = (principal: Parameters<OpenedEngine["engine"]["usage"]["get"]>[0]) => opened.engine.usage.get(principal);
const outputBytes = outputFiles.reduce((sum, path) => sum + contentOf(path).length, 0);

describe("usage", () => {
	it("reserves an upload's bytes at once, and counts them when they are in", async () => {
		const { principal } = await opened.tenant("t", {
			daily_upload_bytes: 100,
			storage_bytes_limit: 1000,
			max_concurrent_processing: 2,
		});
		expect(await usage(principal)).toEqual({
			date: "2026-01-31",
			uploaded_bytes: 0,
			encoded_seconds: 0,
			storage_bytes: 0,
			limits: { daily_upload_bytes: 100, storage_bytes_limit: 1000, max_concurrent_processing: 2 },
			remaining: { upload_bytes: 100, storage_bytes: 1000, processing_slots: 2 },
			resets_at: "2026-02-01T00:00:00.000Z",
		});
		const { video } = await opened.engine.videos.create(principal, clip);
		expect(await usage(principal)).toMatchObject({
			uploaded_bytes: 0,
			storage_bytes: 0,
			remaining: { upload_bytes: 90, storage_bytes: 990 },
		});
		await opened.engine.videos.cancel(principal, video.id);
		expect((await usage(principal)).remaining).toMatchObject({ upload_bytes: 100, storage_bytes: 1000 });

		await uploadVideo(opened, principal);
		expect(await usage(principal)).toMatchObject({
			uploaded_bytes: 10,
			storage_bytes: 10,
			remaining: { upload_bytes: 90, storage_bytes: 990, processing_slots: 1 },
		});
	});

	it("has a gauge that follows a video from its raw upload to its outputs to nothing", async () => {
		const { principal } = await opened.tenant();
		const { video } = await uploadVideo(opened, principal);
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		expect(await usage(principal)).toMatchObject({
			storage_bytes: outputBytes,
			encoded_seconds: 7.64,
			remaining: { processing_slots: 4 },
		});
		await opened.engine.videos.delete(principal, video.id);
		expect(await usage(principal)).toMatchObject({ storage_bytes: 0, uploaded_bytes: 10, encoded_seconds: 7.64 });

		const cancelled = await uploadVideo(opened, principal);
		await opened.engine.videos.cancel(principal, cancelled.video.id);
		const failed = await uploadVideo(opened, principal);
		const job = await opened.engine.jobs.claimById(opened.worker, failed.video.id, { worker: "w" });
		await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "invalid_media", retryable: false });
		expect(await usage(principal)).toMatchObject({
			storage_bytes: 0,
			uploaded_bytes: 30,
			remaining: { processing_slots: 4 },
		});
	});

	it("gives an expired reservation back to the day of its initiate, and starts each UTC day anew", async () => {
		const { principal } = await opened.tenant("t", { daily_upload_bytes: 10 });
		await opened.clock.advance(11.5 * hour);
		await opened.engine.videos.create(principal, clip);
		await expect(opened.engine.videos.create(principal, clip)).rejects.toMatchObject({
			code: "upload_quota_exceeded",
			extras: { retryAfter: "2026-02-01T00:00:00.000Z" },
		});
		await opened.clock.advance(0.5 * hour);
		await opened.engine.videos.create(principal, clip);
		await expect(opened.engine.videos.create(principal, clip)).rejects.toMatchObject({ code: "upload_quota_exceeded" });
		await opened.clock.advance(0.5 * hour);
		await opened.engine.sweep();
		const rows = await opened.database.query({
			text: "select day::text, reserved_bytes from reelmill.usage_days where reserved_bytes > 0",
			values: [],
		});
		expect(rows).toEqual([{ day: "2026-02-01", reserved_bytes: 10 }]);
	});
});

describe("a quota", () => {
	it("is never overshot by fifty initiates at its edge on three servers at once", async () => {
		const { principal } = await opened.tenant("t", { daily_upload_bytes: 75 });
		const servers = [opened.engine, createEngine(opened.options), createEngine(opened.options)];
		const outcomes = await Promise.allSettled(
			Array.from({ length: 50 }, (_, index) => servers[index % 3]?.videos.create(principal, clip)),
		);
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
		for (const outcome of outcomes)
			if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "upload_quota_exceeded" });
	});

	it("on storage may be passed by outputs, and then refuses every initiate until something is deleted", async () => {
		const { principal } = await opened.tenant("t", { storage_bytes_limit: outputBytes - 1 });
		const { video } = await uploadVideo(opened, principal);
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		expect(await usage(principal)).toMatchObject({ storage_bytes: outputBytes, remaining: { storage_bytes: 0 } });
		await expect(opened.engine.videos.create(principal, { ...clip, file_size: 1 })).rejects.toMatchObject({
			code: "storage_quota_exceeded",
		});
		await opened.engine.videos.delete(principal, video.id);
		await opened.engine.videos.create(principal, clip);
	});

	it("on storage counts what is stored and what is reserved, and frees at once after a deletion", async () => {
		const { principal } = await opened.tenant("t", { storage_bytes_limit: 25 });
		const outcomes = await Promise.allSettled(
			Array.from({ length: 50 }, () => opened.engine.videos.create(principal, clip)),
		);
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
		for (const outcome of outcomes)
			if (outcome.status === "rejected")
				expect(outcome.reason).toMatchObject({ code: "storage_quota_exceeded", extras: {} });
		const first = outcomes.find((outcome) => outcome.status === "fulfilled");
		await opened.engine.videos.cancel(principal, first?.value.video.id ?? "");
		await opened.engine.videos.create(principal, clip);
	});

	it("of the whole installation counts all domains together", async () => {
		const engine = createEngine({ ...opened.options, dailyUploadBytes: 25 });
		const [one, two] = [await opened.tenant(), await opened.tenant()];
		await engine.videos.create(one.principal, clip);
		const { video } = await engine.videos.create(two.principal, clip);
		await expect(engine.videos.create(one.principal, clip)).rejects.toMatchObject({ code: "upload_quota_exceeded" });
		await engine.videos.cancel(two.principal, video.id);
		await engine.videos.create(one.principal, clip);
	});
});

describe("the order of the checks", () => {
	/** Each fault as an input or a setting that brings it about, in the specification's order. */
	const faults = [
		"invalid_content_type",
		"file_too_large",
		"duration_too_long",
		"upload_quota_exceeded",
		"storage_quota_exceeded",
		"concurrent_upload_exists",
		"too_many_incomplete_uploads",
		"outro_not_found",
		"rate_limited",
	] as const;
	type Fault = (typeof faults)[number];

	/** A domain in which exactly these faults stand against the next initiate. */
	async function standing(wanted: readonly Fault[]) {
		const has = (fault: Fault) => wanted.includes(fault);
		const tenant = await opened.tenant();
		const { principal, domain } = tenant;
		const { videos } = opened.engine;
		const uploader_ref = "u";
		const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });
		const set = (text: string) => query(text, domain.id);
		await opened.engine.domains.updateConfig(domain.id, { max_concurrent_pending_per_uploader: 10 });
		const age = async (state: string, count: number) => {
			for (let index = 0; index < count; index++) {
				const { video } = await videos.create(principal, { ...clip, uploader_ref });
				await videos.cancel(principal, video.id);
				await query("alter table reelmill.videos disable trigger videos_move");
				await query("update reelmill.videos set state = $2 where id = $1", video.id, state);
				await query("alter table reelmill.videos enable trigger videos_move");
				if (!has("rate_limited"))
					await set("update reelmill.videos set created_at = created_at - interval '2 hours' where domain_id = $1");
			}
		};
		if (has("concurrent_upload_exists")) await videos.create(principal, { ...clip, uploader_ref });
		if (has("too_many_incomplete_uploads")) await age("expired", 3);
		if (has("rate_limited"))
			await age(
				"cancelled",
				5 - (has("too_many_incomplete_uploads") ? 3 : 0) - (has("concurrent_upload_exists") ? 1 : 0),
			);
		if (has("concurrent_upload_exists"))
			await opened.engine.domains.updateConfig(domain.id, { max_concurrent_pending_per_uploader: 1 });
		if (has("upload_quota_exceeded")) await set("update reelmill.domains set daily_upload_bytes = 1 where id = $1");
		if (has("storage_quota_exceeded")) await set("update reelmill.domains set storage_bytes_limit = 1 where id = $1");
		await opened.engine.domains.updateConfig(domain.id, { max_file_bytes: 100, max_duration_seconds: 100 });
		const input = {
			uploader_ref,
			content_type: has("invalid_content_type") ? "audio/mpeg" : "video/mp4",
			file_size: has("file_too_large") ? 101 : 10,
			duration_seconds: has("duration_too_long") ? 101 : 10,
			outro_slug: has("outro_not_found") ? "none" : null,
		};
		return videos.create(principal, input);
	}

	it("answers each fault that stands alone", async () => {
		for (const fault of faults) await expect(standing([fault]), fault).rejects.toMatchObject({ code: fault });
		expect((await standing([])).video.state).toBe("pending_upload");
	});

	it("answers the earlier of every two that stand together", async () => {
		for (const [index, earlier] of faults.entries()) {
			for (const later of faults.slice(index + 1))
				await expect(standing([earlier, later]), `${earlier} before ${later}`).rejects.toMatchObject({ code: earlier });
		}
	});
});

describe("the hourly limit", () => {
	it("counts only initiates that passed the checks, and says when the next one passes", async () => {
		const { principal, domain } = await opened.tenant();
		await opened.engine.domains.updateConfig(domain.id, { max_concurrent_pending_per_uploader: 10 });
		const create = (input: object = {}) =>
			opened.engine.videos.create(principal, { ...clip, uploader_ref: "u", ...input });
		for (let index = 0; index < 9; index++)
			await expect(create({ content_type: "text/plain" })).rejects.toMatchObject({ code: "invalid_content_type" });
		const first = opened.clock.now();
		for (let index = 0; index < 5; index++) {
			await create();
			await opened.clock.advance(1000);
		}
		await expect(create()).rejects.toMatchObject({
			code: "rate_limited",
			extras: { retryAfter: new Date(first + hour).toISOString() },
		});
		await opened.engine.videos.create(principal, { ...clip, uploader_ref: "another" });
		await opened.clock.advance(first + hour - opened.clock.now());
		await create();
		await expect(create()).rejects.toMatchObject({ code: "rate_limited" });
	});

	it("lets exactly five of fifty at once through", async () => {
		const { principal, domain } = await opened.tenant();
		await opened.engine.domains.updateConfig(domain.id, { max_concurrent_pending_per_uploader: 10 });
		const outcomes = await Promise.allSettled(
			Array.from({ length: 50 }, () => opened.engine.videos.create(principal, { ...clip, uploader_ref: "u" })),
		);
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
		for (const outcome of outcomes)
			if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "rate_limited" });
	});
});
