import type { Job, UsageDays } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	contentOf,
	finishJob,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const day = 86_400_000;
const outputBytes = outputFiles.reduce((sum, path) => sum + contentOf(path).length, 0);
const claim = (id: string): Promise<Job> => opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
const dateIn = (days: number): string => new Date(opened.clock.now() + days * day).toISOString().slice(0, 10);

describe("the days of usage", () => {
	it("tell what was uploaded, made available, failed and stored on each, the days between included", async () => {
		const { principal } = await opened.tenant();
		const done = await uploadVideo(opened, principal);
		await finishJob(opened, await claim(done.video.id));
		const failed = await uploadVideo(opened, principal);
		const job = await claim(failed.video.id);
		await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "invalid_media", retryable: false });
		await opened.clock.advance(2 * day);
		await uploadVideo(opened, principal);
		await opened.clock.advance(day);
		await opened.engine.videos.delete(principal, done.video.id);
		await opened.clock.advance(day);
		const none = { uploads: 0, uploaded_bytes: 0, available: 0, encoded_seconds: 0, failures: 0 };
		expect(await opened.engine.usage.days(principal, { from: dateIn(-5) })).toEqual({
			data: [
				{ date: dateIn(0), ...none, storage_bytes: 10 },
				{ date: dateIn(-1), ...none, storage_bytes: 10 },
				{ date: dateIn(-2), ...none, uploads: 1, uploaded_bytes: 10, storage_bytes: outputBytes + 10 },
				{ date: dateIn(-3), ...none, storage_bytes: outputBytes },
				{
					date: dateIn(-4),
					uploads: 2,
					uploaded_bytes: 20,
					available: 1,
					encoded_seconds: 7.64,
					failures: 1,
					storage_bytes: outputBytes,
				},
				{ date: dateIn(-5), ...none, storage_bytes: null },
			],
		} satisfies UsageDays);
		const { data } = await opened.engine.usage.days(principal, { from: dateIn(-3), to: dateIn(-3) });
		expect(data).toEqual([{ date: dateIn(-3), ...none, storage_bytes: outputBytes }]);
		expect((await opened.engine.usage.days(principal)).data).toHaveLength(30);
		expect((await opened.engine.usage.days(principal, { to: dateIn(10) })).data[0]?.date).toBe(dateIn(0));
		const other = await opened.engine.usage.days((await opened.tenant()).principal);
		expect(other.data.every(({ uploads, storage_bytes }) => uploads === 0 && !storage_bytes)).toBe(true);
	});

	it("are at most 400, in the order of time", async () => {
		const { principal } = await opened.tenant();
		const { days } = opened.engine.usage;
		expect((await days(principal, { from: dateIn(-399) })).data).toHaveLength(400);
		for (const span of [{ from: dateIn(-400) }, { from: dateIn(0), to: dateIn(-1) }, { from: "0001-01-01" }])
			await expect(days(principal, span)).rejects.toMatchObject({
				code: "validation_error",
				message: expect.stringContaining("from"),
			});
	});
});

describe("the first steps", () => {
	it("are noted when they happen, once, and stay", async () => {
		const { engine, database } = opened;
		const { principal, domain } = await opened.tenant();
		const steps = () => engine.usage.firstSteps(principal);
		const nothing = { uploaded_at: null, played_at: null, webhook_set_at: null, delivered_at: null };
		expect(await steps()).toEqual(nothing);
		await engine.domains.updateConfig(domain.id, { webhook_url: "https://tenant.example/hook" });
		expect(await steps()).toEqual(nothing);
		await engine.domains.updateConfig(domain.id, { webhook_secret: "whsec_x" });
		const { webhook_set_at } = await steps();
		expect(webhook_set_at).toEqual(expect.any(String));
		await engine.domains.updateConfig(domain.id, { webhook_url: null });
		await engine.domains.updateConfig(domain.id, { webhook_url: "https://tenant.example/other" });

		const uploadedAt = new Date(opened.clock.now()).toISOString();
		const { video } = await uploadVideo(opened, principal, { visibility: "public" });
		await finishJob(opened, await claim(video.id));
		expect(await steps()).toEqual({ ...nothing, uploaded_at: uploadedAt, webhook_set_at });

		await opened.clock.advance(5000);
		const open = (path: string) => engine.serving.open({ videoId: video.id, path, authorization: null });
		await open("og.jpg");
		await expect(open("media/none.mp4")).rejects.toMatchObject({ code: "not_found" });
		expect((await steps()).played_at).toBeNull();
		const playedAt = new Date(opened.clock.now()).toISOString();
		await open("hls/master.m3u8");
		await expect.poll(async () => (await steps()).played_at).toBe(playedAt);

		await engine.sweep();
		const delivered = await steps();
		expect(delivered).toMatchObject({ played_at: playedAt, delivered_at: new Date(opened.clock.now()).toISOString() });
		await database.query({ text: "delete from reelmill.webhook_deliveries where domain_id = $1", values: [domain.id] });
		await opened.clock.advance(day);
		await uploadVideo(opened, principal);
		await open("hls/master.m3u8");
		expect(await steps()).toEqual(delivered);
	});

	it("cost the serving one statement per domain and process", async () => {
		const { principal } = await opened.tenant();
		const { video } = await uploadVideo(opened, principal, { visibility: "public" });
		await finishJob(opened, await claim(video.id));
		const texts: string[] = [];
		const query = opened.database.query.bind(opened.database);
		const database = {
			...opened.database,
			query: ((statement) => {
				texts.push(statement.text);
				return query(statement);
			}) as typeof query,
		};
		const { serving } = createEngine({ ...opened.options, database });
		for (let round = 0; round < 20; round++) {
			await serving.open({ videoId: video.id, path: outputFiles[round % 2] as string, authorization: null });
			await opened.clock.advance(1000);
		}
		expect(texts.filter((text) => text.includes("first_played_at"))).toHaveLength(1);
	});
});
