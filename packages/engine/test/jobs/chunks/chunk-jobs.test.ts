import type { Job } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beforeStatement, saving } from "../../support/before-statement.ts";
import {
	bytesOf,
	completion,
	finishJob,
	type OpenedEngine,
	openEngine,
	uploadVideo,
} from "../../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const digest = "a".repeat(64);
const pieces = [1, 2].map((n) => ({ first_frame: n * 50, end_frame: n * 50 + 50, digest, speed: "balanced" as const }));
const jobs = () => opened.engine.jobs;
const take = (machine = "helper", wait_seconds = 0) =>
	jobs().claim(opened.worker, { worker: machine, wait_seconds, takes_chunks: true, machine });
async function claimedVideo(): Promise<Job> {
	const { video } = await uploadVideo(opened, tenant.principal);
	return jobs().claimById(opened.worker, video.id, { worker: "parent" });
}
async function offered() {
	const parent = await claimedVideo();
	const { data: ids } = await jobs().offerChunks(parent.id, { lock: parent.lock, chunks: pieces });
	return { parent, ids };
}
const takeChunk = async (): Promise<Job> => {
	const job = await take();
	if (job?.kind !== "chunk") throw new Error("no chunk was given out");
	return job;
};
const store = ({ id, lock }: Job, bytes = "0123456789") =>
	jobs().replaceOutputs(
		id,
		lock,
		(async function* () {
			yield { path: "h264_720.mp4", bytes: bytesOf(bytes) };
		})(),
	);
const done = ({ id, lock }: Job, size = 10) =>
	jobs().complete(id, {
		...completion({ lock } as Job),
		outputs: { files: [{ path: "h264_720.mp4", size, sha256: digest }], renditions: [] },
	});
const rows = async (table: string) =>
	(await opened.database.query({ text: `select * from reelmill.${table}`, values: [] })).length;
const storedKeys = async (prefix: string) => (await Array.fromAsync(opened.outputs.list(prefix))).map(({ key }) => key);
const unknown = "00000000-0000-4000-8000-000000000001";

describe("a chunk", () => {
	it("is a job of its own, of the video's source, for a worker that takes chunks", async () => {
		const { parent, ids } = await offered();
		expect(await jobs().claim(opened.worker, { worker: "w", wait_seconds: 0 })).toBeNull();
		const chunk = await takeChunk();
		expect(chunk).toMatchObject({
			id: ids[0],
			kind: "chunk",
			attempt: 1,
			source: parent.source,
			limits: parent.limits,
			plan: parent.plan,
			chunk: pieces[0],
		});
		expect(chunk.lock_expires_at).toBe(new Date(opened.clock.now() + 90_000).toISOString());
		expect((await jobs().source(chunk.id)).size).toBe(10);
		expect((await takeChunk()).id).toBe(ids[1]);
		expect(await take()).toBeNull();
	});

	it("is offered once by an attempt, whatever is offered again", async () => {
		const { parent, ids } = await offered();
		expect(await jobs().offerChunks(parent.id, { lock: parent.lock, chunks: pieces })).toEqual({ data: ids });
		expect(await rows("chunks")).toBe(2);
		await expect(jobs().offerChunks(parent.id, { lock: unknown, chunks: pieces })).rejects.toMatchObject({
			code: "not_lock_holder",
		});
		await expect(jobs().offerChunks(unknown, { lock: unknown, chunks: pieces })).rejects.toMatchObject({
			code: "video_not_found",
		});
	});

	it("tells the video's worker how it stands, and gives its files to that lock alone", async () => {
		const { parent, ids } = await offered();
		const chunk = await takeChunk();
		await jobs().heartbeat(chunk.id, { lock: chunk.lock, progress: 40 });
		const look = () => jobs().nextChunk(parent.id, { lock: parent.lock, take: false });
		expect((await look()).data).toMatchObject([
			{ id: ids[0], state: "locked", progress: 40, files: null },
			{ state: "waiting" },
		]);
		await store(chunk);
		await expect(done(chunk, 11)).rejects.toMatchObject({ code: "outputs_incomplete" });
		await expect(jobs().part(chunk.id, { lock: parent.lock, path: "h264_720.mp4" })).rejects.toMatchObject({
			code: "file_not_found",
		});
		expect(await done(chunk)).toEqual({ id: chunk.id, state: "done" });
		expect(await look()).toMatchObject({
			taken: null,
			data: [{ state: "done", progress: 100, files: [{ path: "h264_720.mp4", size: 10, sha256: digest }] }, {}],
		});
		const part = await jobs().part(chunk.id, { lock: parent.lock, path: "h264_720.mp4" });
		expect(Buffer.concat(await Array.fromAsync(await part.read()))).toEqual(Buffer.from("0123456789"));
		await expect(jobs().part(chunk.id, { lock: chunk.lock, path: "h264_720.mp4" })).rejects.toMatchObject({
			code: "not_lock_holder",
		});
		await expect(jobs().part(chunk.id, { lock: parent.lock, path: "web.mp4" })).rejects.toMatchObject({
			code: "file_not_found",
		});
		await expect(jobs().complete(chunk.id, completion(chunk))).rejects.toMatchObject({ code: "invalid_video_state" });
	});

	it("of a worker that is silent goes to another, and the silent one can change nothing any more", async () => {
		const { ids } = await offered();
		const silent = await takeChunk();
		await takeChunk();
		await opened.clock.advance(89_999);
		expect(await take()).toBeNull();
		await opened.clock.advance(1);
		const second = await takeChunk();
		expect(second).toMatchObject({ id: ids[0], attempt: 2 });
		const refused = { code: "not_lock_holder" };
		await expect(jobs().heartbeat(silent.id, { lock: silent.lock, progress: 50 })).rejects.toMatchObject(refused);
		await expect(store(silent)).rejects.toMatchObject(refused);
		await expect(done(silent)).rejects.toMatchObject(refused);
		await expect(
			jobs().fail(silent.id, { lock: silent.lock, reason: "storage_error", retryable: true }),
		).rejects.toMatchObject(refused);
		await store(second);
		await done(second);
	});

	it("is tried three times by others, and then is the video's worker's", async () => {
		const { parent, ids } = await offered();
		const other = await jobs().claimById(opened.worker, ids[1] as string, { worker: "w" });
		for (const state of ["waiting", "waiting", "failed"]) {
			const { id, lock } = await takeChunk();
			expect(await jobs().fail(id, { lock, reason: "storage_error", retryable: true })).toEqual({ id, state });
		}
		expect(await take()).toBeNull();
		await expect(jobs().claimById(opened.worker, ids[0] as string, { worker: "w" })).rejects.toMatchObject({
			code: "video_not_claimable",
		});
		const next = () => jobs().nextChunk(parent.id, { lock: parent.lock, take: true });
		expect(await next()).toMatchObject({ taken: ids[0], data: [{ state: "taken" }, { state: "locked" }] });
		expect((await next()).taken).toBeNull();
		await opened.clock.advance(60_000);
		await jobs().heartbeat(parent.id, { lock: parent.lock, progress: 1 });
		await opened.clock.advance(30_000);
		expect((await next()).taken).toBe(ids[1]);
		await expect(jobs().heartbeat(other.id, { lock: other.lock, progress: 1 })).rejects.toMatchObject({
			code: "not_lock_holder",
		});
	});

	it("that the video's worker took can be stored by it, for the next attempt, and by nobody else", async () => {
		const { parent } = await offered();
		const stale = await takeChunk();
		await opened.clock.advance(60_000);
		await jobs().heartbeat(parent.id, { lock: parent.lock, progress: 1 });
		await opened.clock.advance(30_000);
		const next = () => jobs().nextChunk(parent.id, { lock: parent.lock, take: true });
		const taken = [(await next()).taken, (await next()).taken].map((id) => ({ ...parent, id: id as string }));
		const own = taken.find(({ id }) => id === stale.id) as Job;
		await expect(store(stale)).rejects.toMatchObject({ code: "not_lock_holder" });
		await expect(done(stale)).rejects.toMatchObject({ code: "not_lock_holder" });
		await store(own);
		await done(own);
		expect((await next()).data.map(({ state }) => state)).toEqual(["done", "taken"]);
		await jobs().fail(parent.id, { lock: parent.lock, reason: "storage_error", retryable: true, stopped: true });
		const second = await jobs().claimById(opened.worker, parent.id, { worker: "other" });
		expect(second).toMatchObject({ losses: 1, cut: 3 });
		await expect(store(taken.find(({ id }) => id !== own.id) as Job)).rejects.toMatchObject({
			code: "video_not_found",
		});
		await jobs().offerChunks(second.id, { lock: second.lock, chunks: pieces });
		const { data } = await jobs().nextChunk(second.id, { lock: second.lock, take: false });
		expect(data.map(({ state }) => state)).toEqual(["done", "waiting"]);
		expect((await jobs().part(own.id, { path: "h264_720.mp4", lock: second.lock })).size).toBe(10);
	});

	it("goes to one of ten workers that ask at once, or to the video's worker", async () => {
		const { parent } = await offered();
		const next = () => jobs().nextChunk(parent.id, { lock: parent.lock, take: true });
		const [got, mine] = await Promise.all([Promise.all(Array.from({ length: 10 }, () => take())), next()]);
		const ids = [...got.flatMap((job) => job?.id ?? []), ...(mine.taken === null ? [] : [mine.taken])];
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.length).toBeGreaterThan(0);
		expect(await take()).toBeNull();
	});
});

const ends: Record<string, (parent: Job) => Promise<unknown>> = {
	"is complete": (parent) => finishJob(opened, parent),
	"fails for good": ({ id, lock }) => jobs().fail(id, { lock, reason: "invalid_media", retryable: false }),
	"is cancelled": ({ id }) => opened.engine.videos.cancel(tenant.principal, id),
	"is deleted": ({ id }) => opened.engine.videos.delete(tenant.principal, id),
};
const interruptions: Record<string, (parent: Job) => Promise<unknown>> = {
	"is given back": ({ id, lock }) => jobs().fail(id, { lock, reason: "storage_error", retryable: true }),
	"is stopped": ({ id, lock }) => jobs().fail(id, { lock, reason: "storage_error", retryable: true, stopped: true }),
	"loses its worker": () => opened.clock.advance(90_000),
};

describe.each(Object.keys(interruptions))("when the attempt %s", (how) => {
	it("finished chunks stay for the next attempt, on whichever machine, and nothing is left of the others", async () => {
		const { parent, ids } = await offered();
		const [finished, running] = [await takeChunk(), await takeChunk()];
		await store(finished);
		await done(finished);
		await store(running);
		const prefix = `${tenant.domain.id}/${parent.id}/chunks/`;
		await interruptions[how]?.(parent);
		await opened.engine.sweep();
		expect(await storedKeys(prefix)).toHaveLength(1);
		await expect(store(running)).rejects.toMatchObject({ code: "video_not_found" });
		await opened.clock.advance(5000);
		const second = await jobs().claimById(opened.worker, parent.id, { worker: "other" });
		expect(second.cut).toBe(3);
		const { data } = await jobs().offerChunks(second.id, { lock: second.lock, chunks: pieces });
		expect(data[0]).toBe(ids[0]);
		expect(data[1]).not.toBe(ids[1]);
		const { data: chunks } = await jobs().nextChunk(second.id, { lock: second.lock, take: false });
		expect(chunks.map(({ state }) => state)).toEqual(["done", "waiting"]);
		const part = { path: "h264_720.mp4" };
		expect((await jobs().part(finished.id, { ...part, lock: second.lock })).size).toBe(10);
		await expect(jobs().part(finished.id, { ...part, lock: parent.lock })).rejects.toMatchObject({
			code: "not_lock_holder",
		});
		await finishJob(opened, second);
		expect([await rows("chunks"), await storedKeys(prefix), await rows("deletions")]).toEqual([0, [], 0]);
	});

	it("finished chunks of another cut, or for another encoder, are not taken over", async () => {
		const { parent } = await offered();
		const finished = await takeChunk();
		await store(finished);
		await done(finished);
		await interruptions[how]?.(parent);
		await opened.engine.sweep();
		await opened.clock.advance(5000);
		const second = await jobs().claimById(opened.worker, parent.id, { worker: "other" });
		const others = pieces.map((piece) => ({ ...piece, digest: "b".repeat(64) }));
		await jobs().offerChunks(second.id, { lock: second.lock, chunks: others });
		const { data } = await jobs().nextChunk(second.id, { lock: second.lock, take: false });
		expect(data.map(({ state }) => state)).toEqual(["waiting", "waiting"]);
	});
});

it("a job whose chunks are finished in between may lose any number of workers", async () => {
	const parent = await claimedVideo();
	const counts = async () =>
		(await opened.database.query({ text: "select fruitless, losses from reelmill.jobs", values: [] }))[0];
	await opened.clock.advance(90_000);
	await opened.engine.sweep();
	expect(await counts()).toEqual({ fruitless: 1, losses: 1 });
	const second = await jobs().claimById(opened.worker, parent.id, { worker: "other" });
	await jobs().offerChunks(second.id, { lock: second.lock, chunks: pieces });
	const chunk = await takeChunk();
	await store(chunk);
	await done(chunk);
	expect(await counts()).toEqual({ fruitless: 0, losses: 1 });
});

describe.each(Object.keys(ends))("when the attempt %s", (how) => {
	it("its chunks are nobody's, and nothing of them is left", async () => {
		const { parent } = await offered();
		const [finished, running] = [await takeChunk(), await takeChunk()];
		await store(finished);
		await done(finished);
		await store(running);
		const prefix = `${tenant.domain.id}/${parent.id}/chunks/`;
		expect(await storedKeys(prefix)).toHaveLength(2);
		await ends[how]?.(parent);
		expect(await rows("chunks")).toBe(0);
		expect(await storedKeys(prefix)).toEqual([]);
		expect(await rows("deletions")).toBe(0);
		const gone = { code: "video_not_found" };
		await expect(jobs().heartbeat(running.id, { lock: running.lock, progress: 50 })).rejects.toMatchObject(gone);
		await expect(store(running)).rejects.toMatchObject(gone);
		await expect(done(running)).rejects.toMatchObject(gone);
		await expect(jobs().source(running.id)).rejects.toMatchObject(gone);
		await expect(jobs().part(finished.id, { lock: parent.lock, path: "h264_720.mp4" })).rejects.toMatchObject(gone);
		expect(await storedKeys(prefix)).toEqual([]);
		expect(await take()).not.toMatchObject({ kind: "chunk" });
	});
});

describe("chunks", () => {
	it("that are offered while the video is being cancelled end with it all the same", async () => {
		const parent = await claimedVideo();
		const offer = () => jobs().offerChunks(parent.id, { lock: parent.lock, chunks: pieces });
		const slow = createEngine({ ...opened.options, database: beforeStatement(opened.database, saving, offer) });
		expect(await slow.videos.cancel(tenant.principal, parent.id)).toMatchObject({ state: "cancelled" });
		expect(await rows("chunks")).toBe(0);
	});

	it("of the next attempt are its own", async () => {
		const { parent, ids } = await offered();
		await jobs().fail(parent.id, { lock: parent.lock, reason: "storage_error", retryable: true });
		await opened.clock.advance(5000);
		const second = await jobs().claimById(opened.worker, parent.id, { worker: "parent" });
		const { data } = await jobs().offerChunks(second.id, { lock: second.lock, chunks: pieces });
		expect(data.some((id) => ids.includes(id))).toBe(false);
		await expect(jobs().nextChunk(parent.id, { lock: parent.lock, take: true })).rejects.toMatchObject({
			code: "not_lock_holder",
		});
		expect((await takeChunk()).id).toBe(data[0]);
	});

	it("of an attempt that a server of an older version ended are swept, with what was stored for them", async () => {
		const { parent } = await offered();
		const chunk = await takeChunk();
		await store(chunk);
		await opened.engine.sweep();
		expect(await rows("chunks")).toBe(2);
		await opened.database.query({ text: "update reelmill.jobs set lock = null, lock_expires_at = null", values: [] });
		await opened.database.query({ text: "update reelmill.videos set state = 'encoding'", values: [] });
		await opened.database.query({ text: "update reelmill.videos set state = 'queued'", values: [] });
		await opened.engine.sweep();
		expect(await rows("chunks")).toBe(0);
		expect(await rows("deletions")).toBe(0);
		expect(await storedKeys(`${tenant.domain.id}/${parent.id}/`)).toEqual([]);
	});

	it("wait behind every other tenant's video, and come before their own tenant's", async () => {
		const { ids } = await offered();
		const own = await uploadVideo(opened, tenant.principal);
		const other = await uploadVideo(opened, (await opened.tenant("other")).principal);
		const order = [await take(), await take(), await take(), await take(), await take()];
		expect(order.map((job) => job?.id)).toEqual([other.video.id, ids[0], ids[1], own.video.id, undefined]);
	});

	it("are never an outro's", async () => {
		const { outro, upload } = await opened.engine.outros.create(tenant.principal, {
			slug: "tail",
			content_type: "video/mp4",
			file_size: 10,
		});
		const token = await opened.engine.uploads.authenticate(`Bearer ${upload.token}`);
		await opened.engine.uploads.create(token, { videoId: outro.id, length: 10 });
		await opened.engine.uploads.append(token, outro.id, 0, bytesOf("0123456789"));
		const job = await jobs().claimById(opened.worker, outro.id, { worker: "w" });
		await expect(jobs().offerChunks(job.id, { lock: job.lock, chunks: pieces })).rejects.toMatchObject({
			code: "invalid_video_state",
		});
	});
});

describe("workers that wait", () => {
	it("are counted by machine, on whichever server, but not those of the asker's machine nor those that take no chunks", async () => {
		const elsewhere = createEngine(opened.options);
		const leaving = new AbortController();
		const wait = (machine: string, engine = opened.engine, takes_chunks = true) =>
			engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 30, takes_chunks, machine }, leaving.signal);
		const waiting = [wait("a"), wait("a"), wait("b"), wait("mine"), wait("c", elsewhere), wait("d", elsewhere, false)];
		await expect.poll(() => rows("waiting_workers")).toBe(5);
		leaving.abort();
		await Promise.all(waiting.slice(0, 2));
		// Those who left are forgotten; rows of a killed server end by themselves.
		await expect.poll(() => rows("waiting_workers")).toBe(0);
		const text = "insert into reelmill.waiting_workers values (gen_random_uuid(), $1, $2)";
		const until = (seconds: number) => new Date(opened.clock.now() + seconds * 1000);
		for (const machine of ["a", "a", "b", "c", "mine"])
			await opened.database.query({ text, values: [machine, until(30)] });
		await opened.database.query({ text, values: ["gone", until(-1)] });
		await uploadVideo(opened, tenant.principal);
		expect(await take("mine")).toMatchObject({ kind: "video", idle_workers: 3 });
	});
});
