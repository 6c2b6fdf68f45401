import { type Job, workerFaults } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { maxWorkerFaults } from "../../../src/jobs/index.ts";
import { countingDatabase, settled } from "../../support/counting-database.ts";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant("acme", { max_concurrent_processing: 20 });
});
afterEach(() => opened.close());

const jobs = () => opened.engine.jobs;
const upload = async () => (await uploadVideo(opened, tenant.principal)).video.id;
const video = (id: string) => opened.engine.videos.get(tenant.principal, id);
const claim = (worker: string, more: { wait_seconds?: number; fault?: "disk_full" } = {}) =>
	jobs().claim(opened.worker, { worker, wait_seconds: 0, ...more });
const said = "ENOSPC: no space left on device, write";
const giveBack = ({ id, lock }: Job) =>
	jobs().fail(id, { lock, reason: "storage_error", retryable: true, worker_fault: "disk_full", message: said });
/** Claims a job for this worker, which is at fault again. Returns whether there was one. */
async function fault(worker: string): Promise<boolean> {
	const job = await claim(worker);
	if (job !== null) await giveBack(job);
	return job !== null;
}
const pass = (seconds: number) => opened.clock.advance(seconds * 1000);
const seen = async (worker: string) =>
	(await opened.engine.admin.listWorkers({ limit: 9 })).data.find((one) => one.worker === worker);

it("a sick worker that never notices fails no video beside a healthy one", async () => {
	await claim("healthy");
	const ids = await Promise.all(Array.from({ length: 6 }, upload));
	const done: Job[] = [];
	let faults = 0;
	for (let round = 0; round < 40 && done.length < ids.length; round++) {
		// The sick one is always the first that is free.
		for (let asked = 0; asked < 3; asked++) faults += Number(await fault("sick"));
		const job = await claim("healthy");
		if (job !== null) {
			await finishJob(opened, job);
			done.push(job);
		}
		await pass(5);
	}
	for (const id of ids) expect((await video(id)).state).toBe("available");
	// It had each job once at most, and none of them lost an attempt by it.
	expect(faults).toBeGreaterThan(2);
	expect(Math.max(...done.map(({ attempt }) => attempt))).toBe(2);
	expect(done.filter(({ last_attempt }) => last_attempt)).toEqual([]);
});

it("a worker that is lost with a job, and comes back, gets it only after a healthy one that is busy", async () => {
	await claim("healthy");
	const busy = await upload();
	const held = (await claim("healthy")) as Job;
	const id = await upload();
	expect(await claim("crashing")).toMatchObject({ id });
	for (let beat = 0; beat < 3; beat++) {
		await pass(30);
		await jobs().heartbeat(busy, { lock: held.lock, progress: 1 });
	}
	await opened.engine.sweep();
	expect(await video(id)).toMatchObject({ state: "queued" });
	expect(await claim("crashing")).toBeNull();
	await finishJob(opened, held);
	expect(await claim("healthy")).toMatchObject({ id });
});

it("shows a worker as ill from the claim that says so, whatever it said before and is noted later", async () => {
	await claim("other");
	await claim("sick");
	await pass(61);
	// Written at once, and so the next one waits for half a minute.
	await claim("other");
	await claim("sick");
	await pass(1);
	await claim("sick", { fault: "disk_full" });
	await pass(31);
	await claim("other");
	expect(await seen("sick")).toMatchObject({ fault: "disk_full" });

	// What a statement could not note is noted by the next claim.
	let fails = 1;
	const isNote = ({ text }: { text: string }) => text.includes("insert into reelmill.workers_seen");
	const database = {
		...opened.database,
		query: (async (statement) => {
			if (isNote(statement) && fails-- > 0) throw new Error("the database is gone");
			return opened.database.query(statement);
		}) as typeof opened.database.query,
	};
	const server = createEngine({ ...opened.options, database });
	const ask = () => server.jobs.claim(opened.worker, { worker: "other", wait_seconds: 0, fault: "disk_full" });
	await expect(ask()).rejects.toThrow();
	await ask();
	expect(await seen("other")).toMatchObject({ fault: "disk_full" });
});

it("a job that a worker gave back goes to the one that waits behind it, and to any after ten minutes", async () => {
	await claim("healthy");
	const id = await upload();
	await fault("sick");
	const database = countingDatabase(opened.database);
	const server = createEngine({ ...opened.options, database });
	let job: Job | null = null as Job | null;
	const wait = (worker: string) => server.jobs.claim(opened.worker, { worker, wait_seconds: 30 });
	const waiting = [wait("sick"), wait("healthy").then((given) => (job = given))];
	for (let second = 0; second < 10; second++) {
		await pass(1);
		await settled(database);
	}
	expect(job).toMatchObject({ id, attempt: 2 });
	await pass(30);
	expect(await Promise.all(waiting)).toEqual([null, job]);
	// The other one is at fault as well: whoever asks may try again.
	await giveBack(job as Job);
	await pass(10);
	const again = (await claim("sick")) as Job;
	expect(again.attempt).toBe(3);
	await jobs().fail(id, { lock: again.lock, reason: "storage_error", retryable: true, stopped: true });
	// A third one is there, and too busy to take it.
	const other = await upload();
	const { lock } = await jobs().claimById(opened.worker, other, { worker: "busy" });
	const beat = () => jobs().heartbeat(other, { lock, progress: 1 });
	for (let minute = 0; minute < 9; minute++) {
		expect(await claim("sick")).toBeNull();
		await beat();
		await pass(60);
	}
	await beat();
	await pass(60);
	expect(await claim("sick")).toMatchObject({ id });
});

it("a worker that is alone gets its job again after a while, and ends it once it is well", async () => {
	const id = await upload();
	for (const wait of [5, 10, 20]) {
		expect(await fault("alone")).toBe(true);
		expect(await fault("alone")).toBe(false);
		await pass(wait);
	}
	// It found itself ill, and waits for its operator: no job, however often it asks.
	for (let minute = 0; minute < 5; minute++) {
		expect(await claim("alone", { fault: "disk_full", wait_seconds: 30 })).toBeNull();
		expect(await seen("alone")).toMatchObject({ is_present: true, fault: "disk_full" });
		await pass(60);
	}
	expect((await video(id)).state).toBe("queued");
	const job = (await claim("alone")) as Job;
	expect(await seen("alone")).toMatchObject({ fault: null });
	await finishJob(opened, job);
	expect((await video(id)).state).toBe("available");
});

it("no other worker is waited for that is ill itself", async () => {
	await upload();
	await claim("ill", { fault: "disk_full" });
	await fault("alone");
	await pass(5);
	expect(await claim("alone")).not.toBeNull();
});

it(`a job that makes each worker ill ends after ${maxWorkerFaults}, with its cause`, async () => {
	const names = Array.from({ length: maxWorkerFaults }, (_, index) => `worker-${index}`);
	for (const name of names) await claim(name);
	const id = await upload();
	for (const [index, name] of names.entries()) {
		expect((await video(id)).state).toBe("queued");
		expect(await fault(name)).toBe(true);
		await pass(5 * 2 ** index);
	}
	expect(await video(id)).toMatchObject({ state: "failed", failure_reason: "retries_exhausted" });
	const { data } = await opened.engine.admin.listFailedVideos({ limit: 9 });
	expect(data).toMatchObject([
		{
			video_id: id,
			reason: "retries_exhausted",
			worker: `tester/${names.at(-1)}`,
			message: `${maxWorkerFaults} workers gave it back as they were at fault. The last said: ${workerFaults.disk_full} (${said})`,
		},
	]);
});
