import { createEngine, type Engine } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	clip,
	contentOf,
	finishJob,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../support/open-engine.ts";
import { seedVideos } from "../support/seed-videos.ts";

let opened: OpenedEngine;
/** Another server over the same database. */
let other: Engine;
beforeAll(async () => {
	opened = await openEngine();
	// Starting makes the sandbox domain; stopped again, nothing sweeps but the tests.
	await opened.engine.start();
	await opened.engine.stop();
	other = createEngine(opened.options);
});
afterAll(() => opened.close());

/** Just over the two seconds that another server may remember. */
const staleness = 2001;
const unknown = "00000000-0000-4000-8000-000000000000";
const refused = (promise: Promise<unknown>, code: string) => expect(promise).rejects.toMatchObject({ code });
const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });
const left = async (domainId: string) =>
	Number(
		(
			await query("select count(*) as n from reelmill.videos where domain_id = $1 and deleted_at is null", domainId)
		)[0]?.["n"],
	);

describe("the list of domains", () => {
	it("shows all of them in pages, newest first, the sandbox domain among them and deleted ones not", async () => {
		const made: string[] = [];
		for (let index = 0; index < 5; index++) {
			await opened.clock.advance(1);
			made.unshift((await opened.tenant()).domain.id);
		}
		const gone = await opened.tenant();
		await opened.engine.admin.deleteDomain(gone.domain.id);
		const listed: string[] = [];
		let cursor: string | undefined;
		do {
			const page = await opened.engine.admin.listDomains({ limit: 2, cursor });
			for (const domain of page.data) listed.push(domain.id);
			expect(page.data[0]).toEqual(await opened.engine.domains.get(page.data[0]?.id ?? ""));
			cursor = page.next_cursor ?? undefined;
		} while (cursor !== undefined);
		expect(listed.slice(0, 5)).toEqual(made);
		expect(new Set(listed).size).toBe(listed.length);
		expect(listed).toContain((await opened.engine.domains.findBySlug("sandbox"))?.id);
	});

	it("takes no cursor of another list", async () => {
		const { principal } = await opened.tenant();
		for (let index = 0; index < 2; index++) await opened.engine.videos.create(principal, clip);
		const { next_cursor } = await opened.engine.videos.list(principal, { limit: 1 });
		await refused(opened.engine.admin.listDomains({ limit: 1, cursor: next_cursor ?? "" }), "invalid_cursor");
	});
});

describe("changing a domain", () => {
	it("keeps what is left out, and refuses a slug that is taken and a domain that isn't there", async () => {
		const { domain } = await opened.tenant();
		const { updateDomain } = opened.engine.admin;
		const limited = await updateDomain(domain.id, { limits: { daily_upload_bytes: 0 } });
		expect(limited).toEqual({ ...domain, limits: { ...domain.limits, daily_upload_bytes: 0 } });
		expect(await updateDomain(domain.id, { slug: "renamed" })).toEqual({ ...limited, slug: "renamed" });
		expect(await updateDomain(domain.id, {})).toEqual({ ...limited, slug: "renamed" });
		const { domain: taken } = await opened.tenant();
		await refused(
			updateDomain(domain.id, { slug: taken.slug, limits: { daily_upload_bytes: 1 } }),
			"slug_already_exists",
		);
		expect((await opened.engine.domains.get(domain.id)).limits.daily_upload_bytes).toBe(0);
		await refused(updateDomain(unknown, { slug: "x" }), "domain_not_found");
	});

	it("leaves the sandbox domain the slug that it is known by, and takes other limits for it", async () => {
		const sandbox = await opened.engine.domains.findBySlug("sandbox");
		const id = sandbox?.id ?? "";
		await refused(opened.engine.admin.updateDomain(id, { slug: "free" }), "validation_error");
		expect(
			await opened.engine.admin.updateDomain(id, { slug: "sandbox", limits: { max_concurrent_processing: 3 } }),
		).toMatchObject({
			slug: "sandbox",
			limits: { ...sandbox?.limits, max_concurrent_processing: 3 },
		});
	});
});

describe("deleting a domain", () => {
	it("ends its keys at once, on another server within two seconds, and frees its slug", async () => {
		const { domain, apiKey, principal } = await opened.tenant();
		await other.keys.authenticate(`Bearer ${apiKey}`);
		await opened.engine.admin.deleteDomain(domain.id);
		await refused(opened.engine.keys.authenticate(`Bearer ${apiKey}`), "unauthorized");
		await refused(other.videos.create(principal, clip), "domain_not_found");
		await refused(other.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 60 }), "domain_not_found");
		await refused(other.playback.revoke(principal, { viewer_ref: "v" }), "domain_not_found");
		await refused(other.playback.revokeAll(principal), "domain_not_found");
		await opened.clock.advance(staleness);
		await refused(other.keys.authenticate(`Bearer ${apiKey}`), "unauthorized");
		const again = await opened.tenant(domain.slug);
		expect(again.domain.id).not.toBe(domain.id);
		await refused(opened.engine.keys.authenticate(`Bearer ${apiKey}`), "unauthorized");
	});

	it("is refused for the sandbox domain, and for one that is gone already", async () => {
		const sandbox = await opened.engine.domains.findBySlug("sandbox");
		await refused(opened.engine.admin.deleteDomain(sandbox?.id ?? ""), "sandbox_domain_protected");
		const { domain } = await opened.tenant();
		await opened.engine.admin.deleteDomain(domain.id);
		for (const id of [domain.id, unknown]) await refused(opened.engine.admin.deleteDomain(id), "domain_not_found");
		await refused(opened.engine.domains.get(domain.id), "domain_not_found");
		await refused(opened.engine.domains.rotateKey(domain.id), "domain_not_found");
	});

	it("deletes its videos as DELETE does, wherever they are in their lives: bytes gone, work cancelled, events told", async () => {
		const { domain, principal } = await opened.tenant(undefined, { max_concurrent_processing: 2 });
		await opened.engine.domains.updateConfig(domain.id, {
			webhook_url: "https://gone.example/hook",
			webhook_secret: "whsec_x",
		});
		const publicVideo = await uploadVideo(opened, principal, { visibility: "public" });
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, publicVideo.video.id, { worker: "w" }));
		const cancelled = await opened.engine.videos.create(principal, clip);
		await opened.engine.videos.cancel(principal, cancelled.video.id);
		const pending = await opened.engine.videos.create(principal, clip);
		const token = await opened.engine.uploads.authenticate(`Bearer ${pending.upload.token}`);
		await opened.engine.uploads.create(token, { videoId: pending.video.id, length: 10 });
		const locked = await uploadVideo(opened, principal);
		const queued = await uploadVideo(opened, principal);
		const waiting = await uploadVideo(opened, principal);
		const job = await opened.engine.jobs.claimById(opened.worker, locked.video.id, { worker: "w" });
		await opened.engine.sweep();
		const told = opened.receiver.requests.length;
		const open = (engine: Engine) =>
			engine.serving.open({ videoId: publicVideo.video.id, path: "web.mp4", authorization: null });
		const sent = await open(opened.engine);
		await open(other);

		await opened.engine.admin.deleteDomain(domain.id);
		await refused(open(opened.engine), "playback_key_required");
		await opened.clock.advance(staleness);
		await refused(open(other), "playback_key_required");
		await opened.engine.sweep();

		expect(await left(domain.id)).toBe(0);
		await refused(opened.engine.uploads.status(token, pending.video.id), "upload_not_pending");
		await refused(opened.engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 50 }), "video_not_found");
		for (const { video } of [pending, locked, queued, waiting]) expect(await opened.uploads.size(video.id)).toBeNull();
		await refused(sent.read(), "not_found");
		expect(await query("select id from reelmill.jobs where domain_id = $1", domain.id)).toEqual([]);
		expect(await query("select 1 from reelmill.deletions where reference like $1", `${domain.id}%`)).toEqual([]);
		const [counters] = await query(
			"select processing_count, storage_bytes, reserved_bytes from reelmill.domains where id = $1",
			domain.id,
		);
		expect(counters).toEqual({ processing_count: 0, storage_bytes: 0, reserved_bytes: 0 });
		const events = opened.receiver.requests.slice(told).map(({ body }) => JSON.parse(Buffer.from(body).toString()));
		const cancelledIds = events
			.filter(({ type, domain_id }) => type === "video.cancelled" && domain_id === domain.id)
			.map(({ data }) => data.video.id);
		expect(cancelledIds.sort()).toEqual([pending, locked, queued, waiting].map(({ video }) => video.id).sort());
	});

	it("goes on with what an earlier sweep left, batch by batch, by servers that sweep at once, and stops looking when all is gone", async () => {
		const { domain } = await opened.tenant();
		await seedVideos(opened.database, domain.id, 250);
		const settled = async () =>
			(await query("select purged_at from reelmill.domains where id = $1", domain.id))[0]?.["purged_at"] !== null;
		await opened.engine.admin.deleteDomain(domain.id);
		for (let sweeps = 0; !(await settled()); sweeps++) {
			expect(sweeps).toBeLessThan(5);
			await Promise.all([opened.engine.sweep(), other.sweep()]);
		}
		expect(await left(domain.id)).toBe(0);
	});

	it("starts to delete without waiting for the next sweep", async () => {
		const running = createEngine(opened.options);
		await running.start();
		const { domain } = await opened.tenant();
		await seedVideos(opened.database, domain.id, 20);
		await running.admin.deleteDomain(domain.id);
		await expect.poll(() => left(domain.id), { interval: 10 }).toBe(0);
		await running.stop();
	});
});

describe("the stats", () => {
	it("count domains, videos, jobs, deliveries and bytes, and leave out what was deleted", async () => {
		const before = await opened.engine.admin.stats();
		const { domain, principal } = await opened.tenant(undefined, { max_concurrent_processing: 3 });
		await opened.engine.domains.updateConfig(domain.id, {
			webhook_url: "https://stats.example/hook",
			webhook_secret: "whsec_x",
		});
		const done = await uploadVideo(opened, principal);
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, done.video.id, { worker: "w" }));
		const running = await uploadVideo(opened, principal);
		await opened.engine.jobs.claimById(opened.worker, running.video.id, { worker: "w" });
		await uploadVideo(opened, principal);
		await opened.engine.videos.create(principal, clip);
		await opened.clock.advance(1500);
		const after = await opened.engine.admin.stats();
		expect(after.taken_at).toBe(new Date(opened.clock.now()).toISOString());
		expect(after.domains - before.domains).toBe(1);
		const moved = Object.entries(after.videos).flatMap(([state, count]) => {
			const difference = count - before.videos[state as keyof typeof before.videos];
			return difference === 0 ? [] : [[state, difference]];
		});
		expect(Object.fromEntries(moved)).toEqual({ available: 1, locked: 1, queued: 1, pending_upload: 1 });
		expect(after.jobs).toEqual({
			waiting: before.jobs.waiting + 1,
			running: before.jobs.running + 1,
			oldest_waiting_seconds: expect.closeTo(1.5, 3),
		});
		const outputBytes = outputFiles.reduce((sum, path) => sum + contentOf(path).length, 0);
		expect(after.storage_bytes - before.storage_bytes).toBe(outputBytes + 20);
		expect(after.uploaded_bytes_today - before.uploaded_bytes_today).toBe(30);
		expect(after.encoded_seconds_today - before.encoded_seconds_today).toBeCloseTo(7.64);
		const deliveries = ({ webhook_deliveries: { pending, failed, delivered } }: typeof after) =>
			pending + failed + delivered;
		expect(deliveries(after) - deliveries(before)).toBe(1);

		await opened.engine.admin.deleteDomain(domain.id);
		await opened.engine.sweep();
		const end = await opened.engine.admin.stats();
		expect([end.domains, end.videos, end.storage_bytes, end.jobs]).toEqual([
			before.domains,
			before.videos,
			before.storage_bytes,
			before.jobs,
		]);
	});
});
