import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const hostile = `<script>alert("rack")</script>`;
const admin = () => opened.engine.admin;
const jobs = () => opened.engine.jobs;
const claim = (worker = "w", more: object = {}, address: string | null = null) =>
	jobs().claim(opened.worker, { worker, wait_seconds: 0, ...more }, undefined, address);
const iso = (milliseconds = 0) => new Date(opened.clock.now() + milliseconds).toISOString();
const day = 86_400_000;

async function uploaded(principal: Parameters<typeof uploadVideo>[1], count = 1): Promise<string[]> {
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		await opened.clock.advance(1000);
		ids.push((await uploadVideo(opened, principal, { external_ref: "lecture-4.mp4" })).video.id);
	}
	return ids;
}
async function all<T>(read: (cursor?: string) => Promise<{ data: T[]; next_cursor: string | null }>): Promise<T[]> {
	const found: T[] = [];
	let cursor: string | undefined;
	do {
		const page = await read(cursor);
		found.push(...page.data);
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
	return found;
}

describe("the queue, to the operator", () => {
	it("lists what waits and runs, oldest first, in pages, by state and by domain", async () => {
		const a = await opened.tenant("a");
		const b = await opened.tenant("b");
		const ids = [...(await uploaded(a.principal, 3)), ...(await uploaded(b.principal, 2))];
		await claim(hostile);
		const listed = await all((cursor) => admin().listJobs({ limit: 2, cursor }));
		expect(listed.map(({ id }) => id)).toEqual(ids);
		expect(listed[0]).toEqual({
			id: ids[0],
			kind: "video",
			video_id: ids[0],
			external_ref: "lecture-4.mp4",
			domain_id: a.domain.id,
			domain_slug: "a",
			is_sandbox: false,
			state: "running",
			attempt: 1,
			queued_at: expect.any(String),
			worker: `tester/${hostile}`,
			since: iso(),
			progress: 0,
			speed: null,
		});
		expect(listed[1]).toMatchObject({ state: "waiting", worker: null, since: null, attempt: 0 });
		const idsOf = async (request: object) =>
			(await admin().listJobs({ limit: 9, ...request })).data.map(({ id }) => id);
		expect(await idsOf({ state: "running" })).toEqual(ids.slice(0, 1));
		expect(await idsOf({ state: "waiting" })).toEqual(ids.slice(1));
		expect(await idsOf({ domain_id: b.domain.id })).toEqual(ids.slice(3));
		const { next_cursor } = await admin().listJobs({ limit: 1, state: "waiting" });
		await expect(admin().listJobs({ limit: 1, cursor: next_cursor ?? "" })).rejects.toMatchObject({
			code: "invalid_cursor",
		});
	});

	it("tells how fast a job is by what its worker told last, in the present attempt alone", async () => {
		const { principal } = await opened.tenant();
		await uploaded(principal);
		const first = await claim();
		await opened.clock.advance(10_000);
		const probe = { duration_seconds: 60, width: 1, height: 1 };
		await jobs().heartbeat(first?.id ?? "", { lock: first?.lock ?? "", progress: 50, probe });
		await opened.clock.advance(5000);
		const shown = async () => (await admin().listJobs({ limit: 1 })).data[0];
		expect(await shown()).toMatchObject({ progress: 50, speed: 3 });
		await jobs().fail(first?.id ?? "", { lock: first?.lock ?? "", reason: "storage_error", retryable: true });
		await opened.clock.advance(5000);
		const second = await claim();
		expect(await shown()).toMatchObject({ attempt: 2, since: iso(), progress: 50, speed: null });
		await opened.clock.advance(60_000);
		await jobs().heartbeat(second?.id ?? "", { lock: second?.lock ?? "", progress: 10 });
		expect(await shown()).toMatchObject({ progress: 50, speed: 0.1 });
	});

	it("has chunks with their part of the video, and late transcripts behind the videos", async () => {
		const { principal, domain } = await opened.tenant();
		const [id = ""] = await uploaded(principal);
		const parent = await jobs().claimById(opened.worker, id, { worker: "parent" });
		await jobs().heartbeat(id, {
			lock: parent.lock,
			progress: 1,
			probe: { duration_seconds: 100, width: 1, height: 1 },
		});
		const piece = { digest: "a".repeat(64), speed: "balanced" as const };
		await jobs().offerChunks(id, {
			lock: parent.lock,
			chunks: [
				{ ...piece, first_frame: 0, end_frame: 75 },
				{ ...piece, first_frame: 75, end_frame: 100 },
			],
		});
		const chunk = await claim("helper", { takes_chunks: true, machine: "m" });
		await opened.clock.advance(10_000);
		await jobs().heartbeat(chunk?.id ?? "", { lock: chunk?.lock ?? "", progress: 40 });
		const { data } = await admin().listJobs({ limit: 9, domain_id: domain.id });
		expect(data.map(({ kind, video_id, state }) => [kind, video_id, state]).toSorted()).toEqual([
			["chunk", id, "running"],
			["chunk", id, "waiting"],
			["video", id, "running"],
		]);
		expect(data.find((job) => job.id === chunk?.id)).toMatchObject({ worker: "tester/helper", progress: 40, speed: 3 });
	});

	it("is counted by domain, those with most to do first, with what the limit of a domain holds back", async () => {
		const a = await opened.tenant("a", { max_concurrent_processing: 2 });
		const b = await opened.tenant("b");
		await uploaded(a.principal, 5);
		await uploaded(b.principal, 1);
		await opened.clock.advance(1000);
		await claim();
		expect(await admin().queue()).toEqual({
			taken_at: iso(),
			waiting: 2,
			running: 1,
			oldest_queued_at: iso(-5000),
			held_back: 3,
			transcripts_waiting: 0,
			domains: [
				{
					domain_id: a.domain.id,
					domain_slug: "a",
					max_concurrent_processing: 2,
					waiting: 1,
					running: 1,
					oldest_queued_at: iso(-5000),
					held_back: 3,
				},
				{
					domain_id: b.domain.id,
					domain_slug: "b",
					max_concurrent_processing: 4,
					waiting: 1,
					running: 0,
					oldest_queued_at: iso(-1000),
					held_back: 0,
				},
			],
		});
	});

	it("tells a scheduler how much waits and runs, by kind", async () => {
		const nothing = { waiting: 0, running: 0, oldest_waiting_seconds: null };
		const kinds = (of: Record<string, object>) =>
			["video", "outro", "chunk", "transcript", "poster"].map((kind) => ({ kind, ...nothing, ...of[kind] }));
		expect(await admin().jobQueue()).toEqual({ ...nothing, by_kind: kinds({}) });

		const { principal } = await opened.tenant();
		const ids = await uploaded(principal, 3);
		const { id, lock = "" } = (await claim()) ?? {};
		expect(id).toBe(ids[0]);
		const chunk = { first_frame: 50, end_frame: 100, digest: "a".repeat(64), speed: "balanced" } as const;
		await jobs().offerChunks(ids[0] ?? "", { lock, chunks: [chunk] });
		await opened.clock.advance(4000);
		expect(await admin().jobQueue()).toEqual({
			...{ waiting: 3, running: 1, oldest_waiting_seconds: 5 },
			by_kind: kinds({
				video: { waiting: 2, running: 1, oldest_waiting_seconds: 5 },
				chunk: { waiting: 1, oldest_waiting_seconds: 4 },
			}),
		});
	});

	it("is empty where nothing is to do", async () => {
		expect(await admin().queue()).toMatchObject({ waiting: 0, running: 0, oldest_queued_at: null, domains: [] });
		expect(await admin().listJobs({ limit: 20 })).toEqual({ data: [], next_cursor: null });
	});
});

describe("workers, to the operator", () => {
	it("are listed with what each has, from where it came and what it takes", async () => {
		const { service_account } = await opened.engine.accounts.create({ name: hostile });
		const principal = { accountId: service_account.id, name: hostile };
		const { principal: tenant, domain } = await opened.tenant();
		const [id] = await uploaded(tenant);
		await claim("idle");
		await opened.clock.advance(1000);
		const seen = iso();
		await jobs().claim(
			principal,
			{ worker: hostile, wait_seconds: 0, takes_chunks: true, takes_sandbox: false, machine: "m" },
			undefined,
			"203.0.113.7",
		);
		const { data } = await admin().listWorkers({ limit: 9 });
		expect(data).toEqual([
			{
				name: `${hostile}/${hostile}`,
				service_account_id: service_account.id,
				service_account: hostile,
				worker: hostile,
				address: "203.0.113.7",
				machine: "m",
				takes: { chunks: true, transcripts: false, clips: false, posters: false, sandbox: false },
				is_present: true,
				fault: null,
				first_seen_at: seen,
				seen_at: seen,
				jobs: [],
			},
			expect.objectContaining({
				name: "tester/idle",
				service_account: null,
				address: null,
				jobs: [expect.objectContaining({ id, kind: "video", domain_id: domain.id, attempt: 1 })],
			}),
		]);
	});

	it("are written at most once a minute each, over all servers, and stay present while they have a job", async () => {
		const other = createEngine(opened.options);
		const written: string[] = [];
		const seen = async () => (await admin().listWorkers({ limit: 1 })).data[0];
		for (let second = 0; second < 180; second += 10) {
			for (const engine of [opened.engine, other]) {
				await engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 });
				written.push((await seen())?.seen_at ?? "");
			}
			await opened.clock.advance(10_000);
		}
		expect(new Set(written).size).toBe(3);
		const { principal } = await opened.tenant();
		await uploaded(principal);
		const job = await claim();
		for (let minute = 0; minute < 5; minute++) {
			await opened.clock.advance(60_000);
			await jobs().heartbeat(job?.id ?? "", { lock: job?.lock ?? "", progress: minute });
		}
		expect(await seen()).toMatchObject({ is_present: true, seen_at: iso() });
		expect((await admin().listWorkers({ limit: 1, state: "gone" })).data).toEqual([]);
		await opened.clock.advance(120_000);
		expect(await seen()).toMatchObject({ is_present: false });
		expect((await admin().listWorkers({ limit: 1, state: "present" })).data).toEqual([]);
		expect((await admin().listWorkers({ limit: 1, state: "gone" })).data).toHaveLength(1);
	});

	it("that asked for a job by its id keep what they said of themselves", async () => {
		const { principal } = await opened.tenant();
		await claim("w", { takes_chunks: true, machine: "m", takes_sandbox: false }, "203.0.113.7");
		await opened.clock.advance(120_000);
		const [id = ""] = await uploaded(principal);
		await jobs().claimById(opened.worker, id, { worker: "w", takes_sandbox: true });
		expect((await admin().listWorkers({ limit: 1 })).data[0]).toMatchObject({
			address: "203.0.113.7",
			machine: "m",
			takes: { chunks: true, transcripts: false, clips: false, posters: false, sandbox: true },
		});
	});

	it("are forgotten a week after they were seen last", async () => {
		await claim();
		await opened.clock.advance(7 * day);
		await opened.engine.sweep();
		expect((await admin().listWorkers({ limit: 1 })).data).toHaveLength(1);
		await opened.clock.advance(1);
		await opened.engine.sweep();
		expect((await admin().listWorkers({ limit: 1 })).data).toEqual([]);
	});
});

describe("failures, to the operator", () => {
	const fail = async (principal: Parameters<typeof uploadVideo>[1], message?: string) => {
		const [id = ""] = await uploaded(principal);
		const job = await jobs().claimById(opened.worker, id, { worker: hostile });
		await jobs().fail(id, { lock: job.lock, reason: "invalid_media", retryable: false, message });
		return id;
	};
	const today = () => iso().slice(0, 10);

	it("are counted by reason and day, and lead to their videos, also to deleted ones", async () => {
		const a = await opened.tenant("a");
		const b = await opened.tenant("b");
		await opened.clock.advance(day - (opened.clock.now() % day));
		const first = await fail(a.principal, hostile);
		const before = today();
		await opened.clock.advance(day);
		const second = await fail(b.principal);
		const third = await fail(b.principal);
		await opened.engine.videos.delete(b.principal, third);
		expect(await admin().listFailures({})).toEqual({
			from: iso(-29 * day).slice(0, 10),
			to: today(),
			data: [
				{ date: today(), reason: "invalid_media", count: 2 },
				{ date: before, reason: "invalid_media", count: 1 },
			],
		});
		const listed = await all((cursor) => admin().listFailedVideos({ limit: 2, cursor }));
		expect(listed.map(({ video_id }) => video_id)).toEqual([third, second, first]);
		expect(listed[0]).toMatchObject({ is_deleted: true, message: null });
		expect(listed[2]).toEqual({
			video_id: first,
			external_ref: "lecture-4.mp4",
			kind: "video",
			domain_id: a.domain.id,
			domain_slug: "a",
			reason: "invalid_media",
			message: hostile,
			worker: `tester/${hostile}`,
			failed_at: expect.stringContaining(before),
			is_deleted: false,
		});
		const idsOf = async (request: object) =>
			(await admin().listFailedVideos({ limit: 9, ...request })).data.map(({ video_id }) => video_id);
		expect(await idsOf({ from: before, to: before })).toEqual([first]);
		expect(await idsOf({ domain_id: b.domain.id })).toEqual([third, second]);
		expect(await idsOf({ reason: "queue_timeout" })).toEqual([]);
	});

	it("are noted however they come: a wait too long, attempts used up", async () => {
		const { principal } = await opened.tenant();
		const [waits = ""] = await uploaded(principal);
		await opened.clock.advance(day);
		await opened.engine.sweep();
		const [used = ""] = await uploaded(principal);
		for (let attempt = 0; attempt < 3; attempt++) {
			await opened.clock.advance(60_000);
			const job = await jobs().claimById(opened.worker, used, { worker: "w" });
			await jobs().fail(used, { lock: job.lock, reason: "storage_error", retryable: true, message: hostile });
		}
		const { data } = await admin().listFailedVideos({ limit: 9 });
		expect(data.map(({ video_id, reason, worker, message }) => [video_id, reason, worker, message])).toEqual([
			[used, "retries_exhausted", "tester/w", hostile],
			[waits, "queue_timeout", null, null],
		]);
		await opened.engine.videos.delete(principal, used);
		expect((await admin().listFailedVideos({ limit: 1 })).data[0]).toMatchObject({ is_deleted: true, message: null });
	});

	it("are none where a video ended well or was given up", async () => {
		const { principal } = await opened.tenant();
		await uploaded(principal);
		const job = await claim();
		if (job) await finishJob(opened, job);
		const { video } = await opened.engine.videos.create(principal, clip);
		await opened.engine.videos.cancel(principal, video.id);
		expect((await admin().listFailures({})).data).toEqual([]);
	});

	it("are of 1 to 400 days, and forgotten with the usage of their day", async () => {
		const { principal } = await opened.tenant();
		await fail(principal);
		for (const period of [
			{ from: "2026-01-02", to: "2026-01-01" },
			{ from: "2024-01-01", to: "2026-01-01" },
		]) {
			await expect(admin().listFailures(period)).rejects.toMatchObject({ code: "validation_error" });
			await expect(admin().listFailedVideos({ limit: 1, ...period })).rejects.toMatchObject({
				code: "validation_error",
			});
		}
		await opened.clock.advance(399 * day);
		await opened.engine.sweep();
		const from = iso(-399 * day).slice(0, 10);
		expect((await admin().listFailures({ from })).data).toHaveLength(1);
		await opened.clock.advance(2 * day);
		await opened.engine.sweep();
		expect(await opened.database.query({ text: "select from reelmill.failures", values: [] })).toEqual([]);
	});
});

describe("the system, to the operator", () => {
	it("tells versions, the schema and where domains store", async () => {
		await opened.tenant();
		const system = await admin().system();
		expect(system).toMatchObject({
			version: "1.2.3",
			base_url: "https://video.example",
			database: { version: expect.stringMatching(/^\d+/), last_migration: expect.stringMatching(/^\d{4}-/) },
			storage: { local: { domains: 1 }, locations: [], failing_buckets: [] },
		});
		expect(system.database.migrations).toBeGreaterThan(0);
		expect(system.database.size_bytes).toBeGreaterThan(0);
	});

	it("names the tenants' buckets whose last use failed", async () => {
		const { domain } = await opened.tenant("acme");
		await opened.database.query({
			text: `with p as (insert into reelmill.storage_profiles (id, domain_id, backend, endpoint, region, bucket, access_key_id, secret, last_error, last_fault, created_at)
				values (gen_random_uuid(), $1, 's3_tenant', 'https://s3.example', 'eu', $2, 'k', 's', $2, 'bucket', now()) returning id)
				update reelmill.domains set storage_profile_id = p.id from p where domains.id = $1`,
			values: [domain.id, hostile],
		});
		expect((await admin().system()).storage).toEqual({
			local: { domains: 0, is_own: null },
			locations: [],
			failing_buckets: [
				{
					domain_id: domain.id,
					domain_slug: "acme",
					bucket: hostile,
					is_current: true,
					last_error: hostile,
					last_verified_at: null,
				},
			],
		});
	});
});
