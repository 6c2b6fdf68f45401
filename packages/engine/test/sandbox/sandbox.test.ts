import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
	await opened.engine.start();
});
afterAll(() => opened.close());

async function session() {
	const created = await opened.engine.sandbox.createSession();
	return { ...created, principal: await opened.engine.keys.authenticate(`Bearer ${created.api_key}`) };
}
const day = 86_400_000;

describe("a sandbox session", () => {
	it("has a key of 24 hours, and its own limits", async () => {
		const { api_key, expires_at, limits, principal } = await session();
		expect([api_key, expires_at, limits]).toEqual([
			expect.stringMatching(/^ek_[0-9A-Za-z]{43}$/),
			new Date(opened.clock.now() + day).toISOString(),
			{ max_file_bytes: 52_428_800, max_duration_seconds: 60 },
		]);
		expect(principal).toMatchObject({ kind: "sandbox", sessionId: expect.any(String) });
		expect(await opened.engine.limits.get(principal)).toEqual(limits);
		const domain = await opened.engine.domains.get(principal.domainId);
		expect(domain).toMatchObject({
			slug: "sandbox",
			limits: { daily_upload_bytes: 5 * 1024 ** 3, storage_bytes_limit: 10 * 1024 ** 3, max_concurrent_processing: 2 },
		});
	});

	it("sees only what it made, of all in the one sandbox domain", async () => {
		const [one, two] = [await session(), await session()];
		const { video } = await opened.engine.videos.create(one.principal, clip);
		expect(two.principal.domainId).toBe(one.principal.domainId);
		expect((await opened.engine.videos.get(one.principal, video.id)).id).toBe(video.id);
		for (const call of ["get", "cancel", "delete"] as const) {
			await expect(opened.engine.videos[call](two.principal, video.id)).rejects.toMatchObject({
				code: "video_not_found",
			});
		}
		await expect(opened.engine.transcripts.get(two.principal, video.id)).rejects.toMatchObject({
			code: "video_not_found",
		});
		expect((await opened.engine.videos.list(two.principal, { limit: 20 })).data).toEqual([]);
	});

	it("plays only what it made", async () => {
		const [one, two] = [await session(), await session()];
		const { video } = await uploadVideo(opened, one.principal);
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		const open = async ({ principal }: typeof one) => {
			const { playback_key } = await opened.engine.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 60 });
			return opened.engine.serving.open({
				videoId: video.id,
				path: "web.mp4",
				authorization: `Bearer ${playback_key}`,
			});
		};
		expect((await open(one)).contentType).toBe("video/mp4");
		await expect(open(two)).rejects.toMatchObject({ code: "playback_key_invalid" });
	});

	it("may make five videos of at most 50 MiB and 60 s, watermarked, and choose neither visibility nor outro", async () => {
		const { principal } = await session();
		const create = (input: object = {}) => opened.engine.videos.create(principal, { ...clip, ...input });
		await expect(create({ visibility: "public", content_type: "text/plain" })).rejects.toMatchObject({
			code: "sandbox_not_allowed",
		});
		await expect(create({ outro_slug: null })).rejects.toMatchObject({ code: "sandbox_not_allowed" });
		await expect(create({ file_size: 52_428_801 })).rejects.toMatchObject({ code: "file_too_large" });
		await expect(create({ duration_seconds: 61 })).rejects.toMatchObject({ code: "duration_too_long" });
		const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => create()));
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
		for (const outcome of outcomes)
			if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "upload_quota_exceeded" });
		const other = await session();
		const { video } = await uploadVideo(opened, other.principal);
		expect(await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" })).toMatchObject({
			plan: { watermark: true },
			limits: { max_duration_seconds: 60, max_decoded_pixels: 1920 * 1080 * 60 * 60 },
		});
	});

	it("and its videos are gone after 24 hours, objects included", async () => {
		const { principal, api_key } = await session();
		const { video } = await uploadVideo(opened, principal);
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		const objects = async () => {
			const keys: string[] = [];
			for await (const { key } of opened.outputs.list(`${principal.domainId}/${video.id}/`)) keys.push(key);
			return keys;
		};
		await opened.clock.advance(day - 1000);
		await opened.engine.sweep();
		expect(await objects()).not.toEqual([]);
		await opened.clock.advance(1000);
		await expect(opened.engine.keys.authenticate(`Bearer ${api_key}`)).rejects.toMatchObject({ code: "unauthorized" });
		await opened.engine.sweep();
		expect(await objects()).toEqual([]);
		await expect(opened.engine.videos.get(principal, video.id)).rejects.toMatchObject({ code: "video_not_found" });
	});
});
