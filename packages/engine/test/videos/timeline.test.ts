import { afterAll, beforeAll, expect, it } from "vitest";
import { bytesOf, clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const seconds = (count: number) => opened.clock.advance(count * 1000);
const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });

it("tells each move of a video with its time and its worker, and when the first byte came", async () => {
	const { engine } = opened;
	const { principal } = await opened.tenant();
	const start = opened.clock.now();
	const { video, upload } = await engine.videos.create(principal, clip);
	const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
	await engine.uploads.create(token, { videoId: video.id, length: 10 });
	await seconds(1);
	await engine.uploads.append(token, video.id, 0, bytesOf("01234"));
	await seconds(1);
	expect(await engine.videos.timeline(principal, video.id)).toEqual({
		video_id: video.id,
		first_byte_at: new Date(start + 1000).toISOString(),
		moves: [{ state: "pending_upload", at: video.created_at, worker: null }],
		encodes: [],
	});
	await engine.uploads.append(token, video.id, 5, bytesOf("56789"));
	await seconds(12);
	const first = await engine.jobs.claimById(opened.worker, video.id, { worker: "one" });
	await engine.jobs.heartbeat(first.id, { lock: first.lock, progress: 5 });
	await seconds(5);
	await engine.jobs.fail(first.id, { lock: first.lock, reason: "storage_error", retryable: true });
	await seconds(20);
	const second = await engine.jobs.claimById(opened.worker, video.id, { worker: "two" });
	await seconds(41);
	await finishJob(opened, second);
	const { first_byte_at, moves } = await engine.videos.timeline(principal, video.id);
	expect(first_byte_at).toBe(new Date(start + 1000).toISOString());
	expect(moves.map(({ state, at, worker }) => [state, (Date.parse(at) - start) / 1000, worker])).toEqual([
		["pending_upload", 0, null],
		["uploaded", 2, null],
		["queued", 2, null],
		["locked", 14, "tester/one"],
		["encoding", 14, null],
		["queued", 19, null],
		["locked", 39, "tester/two"],
		["available", 80, null],
	]);
});

it("tells the first byte of an upload that came whole", async () => {
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const { first_byte_at, moves } = await opened.engine.videos.timeline(principal, video.id);
	expect(first_byte_at).toBe(new Date(opened.clock.now()).toISOString());
	expect(moves.map(({ state }) => state)).toEqual(["pending_upload", "uploaded", "queued"]);
});

it("tells how far the encodes of the present attempt have come, as its last heartbeat told", async () => {
	const { engine, clock } = opened;
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const encodes = async () => (await engine.videos.timeline(principal, video.id)).encodes;
	const claim = () => engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	const after = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString();
	const first = await claim();
	const ended = { renditions: ["h264_404"], started_seconds: 1.5, seconds: 2, progress: 100 };
	const running = { renditions: ["h264_720", "av1_720"], started_seconds: 1.5, progress: 31 };
	await engine.jobs.heartbeat(first.id, { lock: first.lock, progress: 0 });
	expect(await encodes()).toEqual([]);
	await engine.jobs.heartbeat(first.id, { lock: first.lock, progress: 40, encodes: [ended, running] });
	expect(await encodes()).toEqual([
		{ renditions: ["h264_404"], started_at: after(1.5), ended_at: after(3.5), progress: 100 },
		{ renditions: ["h264_720", "av1_720"], started_at: after(1.5), ended_at: null, progress: 31 },
	]);
	expect(Object.keys(await engine.videos.get(principal, video.id)).sort()).toEqual(Object.keys(video).sort());
	await engine.jobs.fail(first.id, { lock: first.lock, reason: "storage_error", retryable: true });
	expect(await encodes()).toEqual([]);
	await seconds(20);
	const second = await claim();
	expect(await encodes()).toEqual([]);
	await engine.jobs.heartbeat(second.id, { lock: second.lock, progress: 0 });
	expect(await encodes()).toEqual([]);
	await engine.jobs.heartbeat(second.id, { lock: second.lock, progress: 9, encodes: [{ ...running, progress: 2 }] });
	expect(await encodes()).toMatchObject([{ started_at: after(1.5), progress: 2 }]);
	await finishJob(opened, second);
	expect(await encodes()).toEqual([]);
});

it("keeps the first eight and the last 32 moves of a video that is tried again and again", async () => {
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	for (let round = 0; round < 30; round++) {
		await seconds(1);
		await query(
			"update reelmill.videos set state = 'locked', updated_at = $2 where id = $1",
			video.id,
			new Date(opened.clock.now()),
		);
		await query("update reelmill.videos set state = 'queued' where id = $1", video.id);
	}
	const { moves } = await opened.engine.videos.timeline(principal, video.id);
	expect(moves).toHaveLength(41);
	expect(moves.slice(0, 3).map(({ state }) => state)).toEqual(["pending_upload", "uploaded", "queued"]);
	expect(Date.parse(moves.at(-1)?.at ?? "")).toBe(opened.clock.now());
});

it("tells what is known of a video from before the moves were noted, and nothing of another tenant's", async () => {
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
	await query("update reelmill.videos set moves = '[]', first_byte_at = null where id = $1", video.id);
	const { first_byte_at, moves } = await opened.engine.videos.timeline(principal, video.id);
	expect([first_byte_at, ...moves.map(({ state }) => state)]).toEqual([
		null,
		"pending_upload",
		"uploaded",
		"available",
	]);
	const other = await opened.tenant();
	await expect(opened.engine.videos.timeline(other.principal, video.id)).rejects.toMatchObject({
		code: "video_not_found",
	});
});
