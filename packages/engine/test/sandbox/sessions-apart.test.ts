import type { CreatedVideo } from "@reelmill/contracts";
import { createEngine, type Engine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bytesOf, clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
	await opened.engine.start();
});
afterEach(() => opened.close());

const hour = 3_600_000;
async function session(engine: Engine = opened.engine) {
	const { api_key } = await engine.sandbox.createSession();
	return engine.keys.authenticate(`Bearer ${api_key}`);
}
type Principal = Awaited<ReturnType<typeof session>>;
const create = (principal: Principal, uploader_ref?: string) =>
	opened.engine.videos.create(principal, { ...clip, ...(uploader_ref && { uploader_ref }) });
const claim = (more: object = {}) => opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0, ...more });
const takesChunks = { takes_chunks: true, machine: "helper" };

describe("sessions that name the same uploader", () => {
	it("have a pending slot each, and hear of their own upload alone", async () => {
		const [one, two] = [await session(), await session()];
		const first = await create(one, "u");
		const second = await create(two, "u");
		await expect(create(one, "u")).rejects.toMatchObject({
			code: "concurrent_upload_exists",
			extras: { existing_video_id: first.video.id },
		});
		await expect(create(two, "u")).rejects.toMatchObject({
			code: "concurrent_upload_exists",
			extras: { existing_video_id: second.video.id },
		});
		await opened.engine.videos.cancel(one, first.video.id);
		await create(one, "u");
	});

	it("have a throttle each", async () => {
		const [one, two] = [await session(), await session()];
		for (let index = 0; index < 3; index++) {
			await create(one, "u");
			await opened.clock.advance(hour);
			await opened.engine.sweep();
		}
		await expect(create(one, "u")).rejects.toMatchObject({ code: "too_many_incomplete_uploads", extras: {} });
		await create(one, "another");
		await create(two, "u");
	});

	it("have an hourly limit each, which is that of a session's videos", async () => {
		const sessions = [await session(), await session()];
		for (const principal of sessions) {
			for (let index = 0; index < 5; index++)
				await opened.engine.videos.cancel(principal, (await create(principal, "u")).video.id);
		}
		for (const principal of sessions)
			await expect(create(principal, "u")).rejects.toMatchObject({ code: "upload_quota_exceeded", extras: {} });
	});

	it("never meet, at once neither", async () => {
		const sessions = await Promise.all(Array.from({ length: 8 }, () => session()));
		const outcomes = await Promise.allSettled(
			sessions.flatMap((principal) => [create(principal, "u"), create(principal, "u")]),
		);
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
	});
});

/** Sends the first byte of an upload. */
async function begin({ video, upload }: CreatedVideo) {
	const token = await opened.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await opened.engine.uploads.create(token, { videoId: video.id, length: video.file_size });
	await opened.engine.uploads.append(token, video.id, 0, bytesOf("0"));
}

describe("uploads of which no byte came", () => {
	const tenth = (5 * 1024 ** 3) / 10;
	const large = 50 * 1024 ** 2;
	const initiate = (principal: Principal, file_size = large) =>
		opened.engine.videos.create(principal, { content_type: "video/mp4", file_size });

	it("reserve at most a tenth of the sandbox's day together, and what has begun doesn't count", async () => {
		const sessions = await Promise.all(Array.from({ length: 8 }, () => session()));
		const most = Math.floor(tenth / large);
		const outcomes = await Promise.allSettled(
			sessions.flatMap((one) => Array.from({ length: 5 }, () => initiate(one))),
		);
		const made = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
		expect(made).toHaveLength(most);
		const expires = made.map(({ video }) => Date.parse(video.expires_at ?? ""));
		const next = sessions.at(-1) ?? expect.fail("no session");
		await expect(initiate(next)).rejects.toMatchObject({
			code: "upload_quota_exceeded",
			extras: { retryAfter: new Date(Math.min(...expires)).toISOString() },
		});
		const quota = await opened.engine.quotas.fault(next, large);
		expect(quota).toMatchObject({ code: "upload_quota_exceeded", extras: { retryAfter: expect.any(String) } });
		await initiate(next, tenth - most * large);
		for (const created of made.slice(0, 3)) await begin(created);
		for (let times = 0; times < 3; times++) await initiate(await session());
		await expect(initiate(await session())).rejects.toMatchObject({ code: "upload_quota_exceeded" });
		await opened.clock.advance(hour);
		await opened.engine.sweep();
		await initiate(await session());
	});

	it("count no more once their first bytes have come, while the request goes on", async () => {
		const [one, two] = [await session(), await session()];
		const created = await initiate(one);
		const token = await opened.engine.uploads.authenticate(`Bearer ${created.upload.token}`);
		await opened.engine.uploads.create(token, { videoId: created.video.id, length: large });
		const more = Promise.withResolvers<void>();
		const sent = opened.engine.uploads.append(
			token,
			created.video.id,
			0,
			(async function* () {
				yield Buffer.alloc(1024);
				await more.promise;
			})(),
		);
		const begun = "select count(*)::integer as count from reelmill.videos where first_byte_at is not null";
		await expect.poll(() => opened.database.query({ text: begun, values: [] })).toEqual([{ count: 1 }]);
		for (let times = 0; times < 5; times++) await initiate(two);
		more.resolve();
		expect(await sent).toBe(1024);
	});
});

describe("what sessions share", () => {
	it("is at most a quarter of the installation's daily quota: tenants have the rest", async () => {
		const engine = createEngine({ ...opened.options, dailyUploadBytes: 80 });
		const [one, two, tenant] = [await session(), await session(), await opened.tenant()];
		for (const principal of [one, two]) await begin(await engine.videos.create(principal, clip));
		const midnight = { retryAfter: "2026-02-01T00:00:00.000Z" };
		await expect(engine.videos.create(one, clip)).rejects.toMatchObject({
			code: "upload_quota_exceeded",
			extras: midnight,
		});
		await expect(engine.videos.create(one, { ...clip, file_size: 21 })).rejects.toMatchObject({
			code: "upload_quota_exceeded",
			extras: {},
		});
		await engine.videos.create(tenant.principal, { ...clip, file_size: 60 });
		expect(opened.logger.entries.filter(({ message }) => message.startsWith("the sandbox's daily quota"))).toHaveLength(
			1,
		);
	});
});

describe("the sandbox's jobs", () => {
	const name = async (names: Map<string, string>, title: string, principal: Principal) => {
		names.set((await uploadVideo(opened, principal)).video.id, title);
		await opened.clock.advance(1000);
	};
	async function workThrough(names: Map<string, string>): Promise<string[]> {
		const order: string[] = [];
		for (let job = await claim(); job !== null; job = await claim()) {
			order.push(names.get(job.id) ?? "");
			await finishJob(opened, job);
		}
		return order;
	}

	it("come after every tenant's, however early they came, and whatever tenant comes later", async () => {
		const names = new Map<string, string>();
		const visitor = await session();
		const [one, two] = [await opened.tenant(), await opened.tenant()];
		for (const title of ["s1", "s2"]) await name(names, title, visitor);
		for (const title of ["a1", "a2"]) await name(names, title, one.principal);
		const first = await claim();
		expect(names.get(first?.id ?? "")).toBe("a1");
		await name(names, "b1", two.principal);
		expect(await workThrough(names)).toEqual(["a2", "b1", "s1", "s2"]);
	});

	it("that wait hold no turn back: a tenant that comes anew stands beside the others", async () => {
		const names = new Map<string, string>();
		await name(names, "s1", await session());
		const [long, anew] = [await opened.tenant("a", { max_concurrent_processing: 50 }), await opened.tenant("b")];
		for (let index = 1; index <= 6; index++) await name(names, `a${index}`, long.principal);
		for (let index = 0; index < 4; index++) await finishJob(opened, (await claim()) ?? expect.fail("no job"));
		for (let index = 1; index <= 3; index++) await name(names, `b${index}`, anew.principal);
		expect(await workThrough(names)).toEqual(["a5", "b1", "a6", "b2", "b3", "s1"]);
	});

	it("that were given back come after every tenant's still", async () => {
		const names = new Map<string, string>();
		await name(names, "s1", await session());
		const job = await claim();
		await opened.engine.jobs.fail(job?.id ?? "", { lock: job?.lock ?? "", reason: "storage_error", retryable: true });
		const { principal } = await opened.tenant();
		for (const title of ["a1", "a2"]) await name(names, title, principal);
		await opened.clock.advance(5000);
		expect(await workThrough(names)).toEqual(["a1", "a2", "s1"]);
	});

	it("hurry no tenant's encode", async () => {
		const [visitor, { principal }] = [await session(), await opened.tenant()];
		await uploadVideo(opened, principal);
		await uploadVideo(opened, visitor);
		await uploadVideo(opened, visitor);
		await opened.clock.advance(200_000);
		expect((await claim())?.speed).toBe("balanced");
		expect((await claim())?.speed).toBe("fast");
	});

	it("and their chunks come after tenants' chunks and videos", async () => {
		const digest = "a".repeat(64);
		const pieces = [{ first_frame: 0, end_frame: 50, digest, speed: "balanced" as const }];
		const [visitor, tenant] = [await session(), await opened.tenant()];
		const offered = async (principal: Principal) => {
			const { video } = await uploadVideo(opened, principal);
			const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "parent" });
			return (await opened.engine.jobs.offerChunks(job.id, { lock: job.lock, chunks: pieces })).data[0] ?? "";
		};
		const strangersChunk = await offered(visitor);
		const chunk = await offered(tenant.principal);
		const [video, waiting] = [
			await uploadVideo(opened, (await opened.tenant()).principal),
			await uploadVideo(opened, tenant.principal),
		];
		expect((await claim(takesChunks))?.id).toBe(video.video.id);
		expect((await claim(takesChunks))?.id).toBe(chunk);
		expect((await claim(takesChunks))?.id).toBe(waiting.video.id);
		expect((await claim(takesChunks))?.id).toBe(strangersChunk);
	});

	it("wait for a tenant's chunk too, where the worker takes chunks", async () => {
		const [visitor, tenant] = [await session(), await opened.tenant()];
		const strangers = await uploadVideo(opened, visitor);
		const { video } = await uploadVideo(opened, tenant.principal);
		const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "parent" });
		const pieces = [0, 50].map((first_frame) => ({
			first_frame,
			end_frame: first_frame + 50,
			digest: "a".repeat(64),
			speed: "balanced" as const,
		}));
		const { data } = await opened.engine.jobs.offerChunks(job.id, { lock: job.lock, chunks: pieces });
		for (const id of [...data, strangers.video.id]) expect((await claim(takesChunks))?.id).toBe(id);
	});
});

describe("an installation without a sandbox", () => {
	it("makes no session, ends the keys of earlier ones, and purges their videos when their time is over", async () => {
		const earlier = await opened.engine.sandbox.createSession();
		const principal = await opened.engine.keys.authenticate(`Bearer ${earlier.api_key}`);
		const { video } = await uploadVideo(opened, principal);
		const engine = createEngine({ ...opened.options, sandbox: false });
		expect(engine.sandbox.isOn).toBe(false);
		await expect(engine.sandbox.createSession()).rejects.toMatchObject({ code: "not_found" });
		await expect(engine.keys.authenticate(`Bearer ${earlier.api_key}`)).rejects.toMatchObject({ code: "unauthorized" });
		await finishJob(opened, await engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		const { apiKey } = await opened.tenant();
		expect((await engine.keys.authenticate(`Bearer ${apiKey}`)).kind).toBe("domain");
		await opened.clock.advance(24 * hour);
		await engine.sweep();
		const rows = await opened.database.query({
			text: "select 1 from reelmill.videos where session_id is not null and deleted_at is null",
			values: [],
		});
		expect(rows).toEqual([]);
	});

	it("has no domain for it", async () => {
		const other = await openEngine({ sandbox: false });
		await other.engine.start();
		expect(await other.engine.domains.findBySlug("sandbox")).toBeNull();
		await other.close();
	});
});
