import { createEngine } from "@reelmill/engine";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";
import { seedVideos } from "../support/seed-videos.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });
/** What the counts lack. Nothing: they are what the rows come to. */
const wrong = () => query("select * from reelmill.recount()");
const changes = async () => Number((await query("select count(*) as n from reelmill.counts"))[0]?.n);

async function listening() {
	const tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example/hook",
		webhook_secret: "whsec_test_secret",
	});
	return tenant;
}

/** Publications of no video: the engine makes them only in a bucket. */
const publications = {
	begin: `insert into reelmill.publications (video_id, storage_profile_id, not_before)
		select gen_random_uuid(), id, now() from reelmill.storage_profiles order by random() limit 1`,
	copy: "update reelmill.publications set copied_at = now() where video_id in (select video_id from reelmill.publications order by random() limit 1)",
	withdraw:
		"delete from reelmill.publications where video_id in (select video_id from reelmill.publications order by random() limit 1)",
};

describe("the counts that moves keep", () => {
	it("are what the rows come to, whatever two servers and their tenants did at once", async () => {
		const other = createEngine(opened.options);
		const tenants = [await listening(), await listening()];
		for (const { domain } of tenants)
			await query(
				`insert into reelmill.storage_profiles (id, domain_id, backend, location_id, created_at) values (gen_random_uuid(), $1, 's3_platform', 'l', now())`,
				domain.id,
			);
		const reached = new Set<string>();
		const made: { id: string; principal: (typeof tenants)[number]["principal"] }[] = [];
		let picks = 0;
		const some = <T>(all: readonly T[]): T | undefined => all[(picks++ * 7) % Math.max(1, all.length)];
		const claim = async () => opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 });
		const acts: Record<string, () => Promise<unknown>> = {
			initiate: async () => {
				const { principal } = some(tenants) as (typeof tenants)[number];
				made.push({ id: (await opened.engine.videos.create(principal, clip)).video.id, principal });
			},
			upload: async () => {
				const { principal } = some(tenants) as (typeof tenants)[number];
				made.push({ id: (await uploadVideo(opened, principal)).video.id, principal });
			},
			cancel: async () => {
				const video = some(made);
				if (video) await opened.engine.videos.cancel(video.principal, video.id);
			},
			delete: async () => {
				const video = some(made);
				if (video) await other.videos.delete(video.principal, video.id);
			},
			complete: async () => {
				const job = await claim();
				if (job) await finishJob(opened, job);
			},
			giveBack: async () => {
				const job = await claim();
				if (job) await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "storage_error", retryable: true });
			},
			fail: async () => {
				const job = await claim();
				if (job) await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "invalid_media", retryable: false });
			},
			refuse: async () => {
				opened.receiver.answer = () => ({ status: 500, error: "http_status" });
			},
			accept: async () => {
				opened.receiver.answer = () => ({ status: 200, error: null });
			},
			sweep: () => Promise.all([opened.engine.sweep(), other.sweep()]),
			wait: () => opened.clock.advance(1_900_000),
			...Object.fromEntries(Object.entries(publications).map(([name, text]) => [name, () => query(text)])),
		};
		const done = (name: string) =>
			acts[name]?.().then(
				() => void reached.add(name),
				(error: { code?: string }) => {
					// A video that is further, or gone: the act changes nothing.
					if (error.code === undefined || error.code === "internal_error") throw error;
				},
			);
		const names = Object.keys(acts);
		const plans = fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }), {
			minLength: 60,
			maxLength: 60,
		});
		for (const crowd of fc.sample(plans, { seed: 20_261_124, numRuns: 1 })[0] ?? []) {
			await Promise.all(crowd.map(done));
		}
		expect([...reached].toSorted()).toEqual(names.toSorted());
		expect(await wrong()).toEqual([]);
		await opened.clock.advance(400 * 86_400_000);
		for (let pass = 0; pass < 5; pass++) await opened.engine.sweep();
		expect(await wrong()).toEqual([]);
	}, 300_000);

	it("are what an operator is shown", async () => {
		const { principal } = await listening();
		await opened.engine.videos.create(principal, clip);
		const { video } = await uploadVideo(opened, principal);
		await uploadVideo(opened, principal);
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		opened.receiver.answer = () => ({ status: 500, error: "http_status" });
		await opened.engine.sweep();
		const shown = await opened.engine.metrics.installation();
		expect(shown).toMatchObject({
			videos: { pending_upload: 1, queued: 1, available: 1, locked: 0 },
			jobs: { waiting: 1, running: 0 },
			webhooks: { waiting: 1, deadLetters: 0 },
			publicationsWaiting: 0,
		});
		expect(await opened.engine.admin.stats()).toMatchObject({
			videos: { ...shown.videos },
			jobs: { waiting: 1, running: 0, oldest_waiting_seconds: 0 },
			webhook_deliveries: { pending: 1, delivered: 0, failed: 0 },
		});
	});

	it("are changed by moves alone: a heartbeat adds nothing", async () => {
		const { principal } = await opened.tenant();
		const { video } = await uploadVideo(opened, principal);
		const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		await opened.engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 1 });
		const before = await changes();
		await opened.engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 50 });
		expect(await changes()).toBe(before);
	});

	it("stay few rows, however much is counted, and servers that add them up at once lose none", async () => {
		const { domain } = await opened.tenant();
		await seedVideos(opened.database, domain.id, 3000);
		expect(await changes()).toBeGreaterThanOrEqual(3000);
		const others = [createEngine(opened.options), createEngine(opened.options)];
		await Promise.all([opened.engine, ...others].map((engine) => engine.sweep()));
		await opened.engine.sweep();
		expect(await changes()).toBeLessThan(300);
		expect(await wrong()).toEqual([]);
	});

	it("are put right by a recount, which finds what no trigger saw", async () => {
		const { domain } = await opened.tenant();
		await query("alter table reelmill.videos disable trigger videos_counted");
		await seedVideos(opened.database, domain.id, 100);
		await query("alter table reelmill.videos enable trigger videos_counted");
		expect((await wrong()).map(({ name, change }) => [name, change]).toSorted()).toEqual([
			["available", 10],
			["expired", 70],
			["failed", 20],
		]);
		expect(await wrong()).toEqual([]);
		expect((await opened.engine.metrics.installation()).videos).toMatchObject({ available: 10, failed: 20 });
	});

	it("cost a scrape no row of videos or deliveries, and one of the jobs that wait", async () => {
		const { domain } = await opened.tenant();
		await seedVideos(opened.database, domain.id, 5000);
		await query(
			`insert into reelmill.jobs (id, kind, domain_id, turn, waiting_since, queued_at, not_before)
			select gen_random_uuid(), 'video', $1::uuid, i, now(), now() - i * interval '1 second', now() from generate_series(1, 5000) i`,
			domain.id,
		);
		await query(
			`insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, created_at)
			select gen_random_uuid(), $1::uuid, gen_random_uuid(), 'video.ready', '', 'https://tenant.example', 'delivered', 0, now() from generate_series(1, 5000) i`,
			domain.id,
		);
		await opened.engine.sweep();
		for (const table of ["videos", "jobs", "webhook_deliveries", "counts"]) await query(`analyze reelmill.${table}`);
		const plans: unknown[] = [];
		const database = {
			...opened.database,
			query: async (statement: { text: string; values: readonly unknown[] }) => {
				plans.push(
					...(await opened.database.query({
						text: `explain (analyze, format json) ${statement.text}`,
						values: statement.values,
					})),
				);
				return opened.database.query(statement) as never;
			},
		};
		const watched = createEngine({ ...opened.options, database });
		expect((await watched.metrics.installation()).jobs.waiting).toBe(5000);
		const read = rowsRead(plans);
		expect(read.get("videos") ?? 0).toBe(0);
		expect(read.get("webhook_deliveries") ?? 0).toBe(0);
		expect(read.get("jobs")).toBeLessThanOrEqual(1);
		expect(read.get("counts")).toBeLessThan(300);
	});
});

type PlanNode = {
	readonly "Relation Name"?: string;
	readonly "Actual Rows"?: number;
	readonly "Actual Loops"?: number;
	readonly "Rows Removed by Filter"?: number;
	readonly Plans?: readonly PlanNode[];
};

/** How many rows of each table these plans read. */
function rowsRead(plans: readonly unknown[]): Map<string, number> {
	const read = new Map<string, number>();
	const add = (node: PlanNode): void => {
		const table = node["Relation Name"];
		const rows = ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 1);
		if (table !== undefined) read.set(table, (read.get(table) ?? 0) + rows);
		for (const child of node.Plans ?? []) add(child);
	};
	for (const plan of plans)
		for (const { Plan } of Object.values(plan as object).flat() as { Plan: PlanNode }[]) add(Plan);
	return read;
}
