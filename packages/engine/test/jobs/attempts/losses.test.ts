import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { maxFruitlessLosses, maxLosses } from "../../../src/jobs/index.ts";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
let id: string;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
	id = (await uploadVideo(opened, tenant.principal)).video.id;
});
afterEach(() => opened.close());

const video = () => opened.engine.videos.get(tenant.principal, id);
const claim = () => opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
async function stopWorker() {
	const { lock } = await claim();
	await opened.engine.jobs.fail(id, { lock, reason: "storage_error", retryable: true, stopped: true });
}
async function killWorker() {
	await claim();
	await opened.clock.advance(90_000);
	await opened.engine.sweep();
}
async function spoil(waitSeconds: number) {
	const job = await claim();
	await opened.engine.jobs.fail(id, { lock: job.lock, reason: "storage_error", retryable: true });
	await opened.clock.advance(waitSeconds * 1000);
	return job;
}

describe("workers that stop or are lost", () => {
	it("fail no video: nine that stop and nine that are killed", async () => {
		for (let loss = 0; loss < 9; loss++) {
			await stopWorker();
			await killWorker();
			expect((await video()).state).toBe("queued");
		}
		const job = await claim();
		expect(job).toMatchObject({ attempt: 19, last_attempt: false });
		await finishJob(opened, job);
		expect((await video()).state).toBe("available");
	});

	it("give the job back at once, and a spoiled attempt after its wait", async () => {
		await stopWorker();
		await stopWorker();
		await spoil(0);
		await expect(opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 })).resolves.toBeNull();
		await opened.clock.advance(5000);
		expect(await opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 })).toMatchObject({ id });
	});

	it("take none of the three attempts that the job may spoil", async () => {
		await killWorker();
		expect(await spoil(5)).toMatchObject({ last_attempt: false });
		await stopWorker();
		expect(await spoil(10)).toMatchObject({ last_attempt: false });
		await killWorker();
		expect(await spoil(0)).toMatchObject({ attempt: 6, last_attempt: true });
		expect(await video()).toMatchObject({ state: "failed", failure_reason: "retries_exhausted" });
	});

	it("take nothing of the time for processing, and neither does a wait in the queue", async () => {
		for (let loss = 0; loss < 4; loss++) {
			const { lock } = await claim();
			for (let beat = 0; beat < 120; beat++) {
				await opened.clock.advance(60_000);
				await opened.engine.jobs.heartbeat(id, { lock, progress: 10 });
			}
			await opened.engine.jobs.fail(id, { lock, reason: "storage_error", retryable: true, stopped: true });
			await opened.clock.advance(3_600_000);
		}
		await claim();
		await opened.engine.sweep();
		expect((await video()).state).toBe("locked");
	});
});

describe("a job that kills each of its workers", () => {
	it(`fails with retries_exhausted after ${maxFruitlessLosses} of them`, async () => {
		for (let loss = 1; loss < maxFruitlessLosses; loss++) await killWorker();
		await stopWorker();
		expect((await video()).state).toBe("queued");
		await killWorker();
		expect(await video()).toMatchObject({ state: "failed", failure_reason: "retries_exhausted" });
	});

	it(`fails with retries_exhausted after ${maxLosses} losses, whatever its workers finished in between`, async () => {
		const setLosses = (losses: number) =>
			opened.database.query({
				text: "update reelmill.jobs set attempt = $1, losses = $1, fruitless = 0",
				values: [losses],
			});
		await setLosses(maxLosses - 1);
		await killWorker();
		expect((await video()).state).toBe("queued");
		await stopWorker();
		await setLosses(maxLosses);
		await killWorker();
		expect(await video()).toMatchObject({ state: "failed", failure_reason: "retries_exhausted" });
	});
});
