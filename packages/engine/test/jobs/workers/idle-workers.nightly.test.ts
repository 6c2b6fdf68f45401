import type { Job } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countingDatabase, settled } from "../../support/counting-database.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

it("a thousand workers that wait on one server cost less than twenty statements a second", {
	timeout: 300_000,
}, async () => {
	const database = countingDatabase(opened.database);
	const engine = createEngine({ ...opened.options, database });
	const jobs: { job: Job; at: number }[] = [];
	let isOver = false;
	const work = async (index: number) => {
		await opened.clock.sleep((index % 30) * 1000 + 1);
		while (!isOver) {
			const machine = `machine-${index}`;
			const input = { worker: `w${index}`, wait_seconds: 30, takes_chunks: true, takes_transcripts: true, machine };
			const job = await engine.jobs.claim(opened.worker, input);
			if (job !== null) jobs.push({ job, at: opened.clock.elapsed() });
		}
	};
	const workers = Array.from({ length: 1000 }, (_, index) => work(index));
	const pass = async (seconds: number) => {
		for (let second = 0; second < seconds; second++) {
			await opened.clock.advance(1000);
			await settled(database);
		}
	};
	await pass(90);
	const before = database.sent.length;
	await pass(120);
	const aSecond = (database.sent.length - before) / 120;
	console.log(`1,000 idle workers: ${aSecond.toFixed(1)} statements a second`);
	expect(aSecond).toBeLessThan(20);

	// Another server queues three videos: three workers get them with the next beat, and nobody else asks for each.
	const { principal } = await opened.tenant();
	for (let video = 0; video < 3; video++) await uploadVideo(opened, principal);
	const queued = database.sent.length;
	await pass(2);
	expect(new Set(jobs.map(({ job }) => job.id)).size).toBe(3);
	expect(database.sent.length - queued).toBeLessThan(40);
	isOver = true;
	await pass(31);
	await Promise.all(workers);
});
