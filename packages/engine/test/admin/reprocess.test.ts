import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engineActor } from "../../src/audit/index.ts";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

const keptSeconds = 7 * 86_400;
let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
let id: string;
beforeEach(async () => {
	opened = await openEngine({ windows: { keepFailed: keptSeconds } });
	tenant = await opened.tenant();
	id = (await uploadVideo(opened, tenant.principal)).video.id;
});
afterEach(() => opened.close());

const video = () => opened.engine.videos.get(tenant.principal, id);
const claim = () => opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
const reprocess = () => opened.engine.admin.reprocess(id, engineActor);
async function fail(reason: "storage_error" | "invalid_media") {
	const { lock } = await claim();
	await opened.engine.jobs.fail(id, { lock, reason, retryable: false });
}
const usage = async () => (await opened.engine.usage.get(tenant.principal)).storage_bytes;

describe("a failed video that is processed anew", () => {
	it("goes through the queue with all its attempts, and plays in the end", async () => {
		await fail("storage_error");
		expect(await usage()).toBe(0);
		await opened.clock.advance((keptSeconds - 60) * 1000);
		await opened.engine.sweep();
		expect(await reprocess()).toMatchObject({ id, state: "queued", failure_reason: null });
		expect(await usage()).toBe(10);
		await opened.clock.advance(120_000);
		await opened.engine.sweep();
		expect(await opened.uploads.size(id)).toBe(10);
		const job = await claim();
		expect(job).toMatchObject({ attempt: 1, last_attempt: false });
		await finishJob(opened, job);
		expect(await video()).toMatchObject({ state: "available", failure_reason: null });
		expect(await opened.uploads.size(id)).toBeNull();
	});

	it("may fail again, and is then kept as before", async () => {
		await fail("storage_error");
		await reprocess();
		await fail("storage_error");
		await reprocess();
		expect((await video()).state).toBe("queued");
	});

	it("is refused once its source is gone: after its time, or at once if the source is at fault", async () => {
		await fail("storage_error");
		await opened.clock.advance(keptSeconds * 1000);
		await opened.engine.sweep();
		expect(await opened.uploads.size(id)).toBeNull();
		await expect(reprocess()).rejects.toMatchObject({ code: "file_not_found" });
		id = (await uploadVideo(opened, tenant.principal)).video.id;
		await fail("invalid_media");
		expect(await opened.uploads.size(id)).toBeNull();
		await expect(reprocess()).rejects.toMatchObject({ code: "file_not_found" });
	});

	it("is refused once a sweep may have its source in hand, although it is still there", async () => {
		await fail("storage_error");
		await opened.clock.advance((keptSeconds - 1) * 1000);
		expect(await opened.uploads.size(id)).toBe(10);
		await expect(reprocess()).rejects.toMatchObject({ code: "file_not_found" });
		expect((await video()).state).toBe("failed");
	});

	it("is refused in every other state, and if it is available or deleted", async () => {
		await expect(reprocess()).rejects.toMatchObject({ code: "invalid_state" });
		await finishJob(opened, await claim());
		await expect(reprocess()).rejects.toMatchObject({ code: "file_not_found" });
		await opened.engine.videos.delete(tenant.principal, id);
		await expect(reprocess()).rejects.toMatchObject({ code: "video_not_found" });
	});

	it("leaves no bytes if it is deleted while its source is kept", async () => {
		await fail("storage_error");
		await opened.engine.videos.delete(tenant.principal, id);
		expect(await opened.uploads.size(id)).toBeNull();
	});

	it("happens once, of ten requests at the same time", async () => {
		await fail("storage_error");
		const asked = await Promise.allSettled(Array.from({ length: 10 }, reprocess));
		expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		expect(await usage()).toBe(10);
	});
});
