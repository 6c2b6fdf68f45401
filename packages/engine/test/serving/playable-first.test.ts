import type { Job } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	archivedFiles,
	bytesOf,
	completion,
	contentOf,
	deliver,
	type OpenedEngine,
	openEngine,
	uploadVideo,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine({ playableFirst: true });
});
afterAll(() => opened.close());

const early = ["hls/master.m3u8", "media/h264_720.mp4"];
const entries = async function* (word: string) {
	for (const path of [...early, "frames/00001.jpg"]) yield { path, bytes: bytesOf(`${word} ${path}`) };
};
const show = ({ id, lock }: Job, word = "early") =>
	opened.engine.jobs.replaceOutputs(id, lock, entries(word), "playable");
const refused = (promise: Promise<unknown>, code: string) => expect(promise).rejects.toMatchObject({ code });

async function encoding(visibility: "public" | "private" = "public") {
	const { principal, domain } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal, { visibility });
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	await opened.engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 1 });
	const open = (path = "hls/master.m3u8", authorization: string | null = null, engine = opened.engine) =>
		engine.serving.open({ videoId: video.id, path, authorization });
	const text = async (path?: string) => {
		const parts: Uint8Array[] = [];
		for await (const part of await (await open(path)).read()) parts.push(part);
		return Buffer.concat(parts).toString();
	};
	const belongings = async () =>
		(await Array.fromAsync(opened.outputs.list(`${domain.id}/${video.id}/`))).map(({ key }) => key);
	return { principal, id: video.id, job, open, text, belongings };
}

describe("what can be played before the video is available", () => {
	it("is served while the rest is encoded, and the video is told as it is: encoding, without outputs", async () => {
		const { principal, id, job, open, text } = await encoding();
		expect(job.playable_first).toBe(true);
		await refused(open(), "not_found");
		await show(job);
		expect(await text()).toBe("early hls/master.m3u8");
		expect(await open("media/h264_720.mp4")).toMatchObject({ isFinal: false, contentType: "video/mp4", size: 24 });
		await refused(open("web.mp4"), "not_found");
		await refused(open("frames/00001.jpg"), "not_found");
		expect(await opened.engine.videos.get(principal, id)).toMatchObject({ state: "encoding", outputs: null });
	});

	it("gives way to the outputs when the video is available, another file under another ETag, and is deleted once its readers had time to end", async () => {
		const { job, open, text, belongings } = await encoding();
		await show(job);
		const before = await open();
		await deliver(opened, job);
		expect(await text()).toBe("early hls/master.m3u8");
		await opened.engine.jobs.complete(job.id, completion(job));
		expect(await text()).toBe(contentOf("hls/master.m3u8"));
		const after = await open();
		expect(after.isFinal).toBe(true);
		expect(after.etag).not.toBe(before.etag);
		await opened.engine.sweep();
		expect((await belongings()).filter((key) => key.includes("/playable/"))).toHaveLength(3);
		await opened.clock.advance(31_000);
		await opened.engine.sweep();
		expect((await belongings()).map((key) => key.split("/").slice(4).join("/"))).toEqual(archivedFiles);
	});

	it("is private where the video is", async () => {
		const { principal, job, open } = await encoding("private");
		await show(job);
		await refused(open(), "playback_key_required");
		await refused(open("hls/master.m3u8", "Bearer x"), "playback_key_invalid");
		const { playback_key } = await opened.engine.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 3600 });
		expect(await open("hls/master.m3u8", `Bearer ${playback_key}`)).toMatchObject({
			visibility: "private",
			isFinal: false,
		});
	});

	it("is replaced by what the same attempt sends again", async () => {
		const { job, text, belongings } = await encoding();
		await show(job, "first");
		await show(job, "second");
		expect(await text()).toBe("second hls/master.m3u8");
		await opened.clock.advance(31_000);
		await opened.engine.sweep();
		expect(await belongings()).toHaveLength(3);
	});

	it("grows by a second archive of the attempt, until that is over", async () => {
		const { job, open, text } = await encoding();
		const sent = async function* (files: Readonly<Record<string, string>>) {
			for (const [path, content] of Object.entries(files)) yield { path, bytes: bytesOf(content) };
		};
		const [playlist, track] = ["hls/opening_h264_720.m3u8", "media/opening_h264_720.mp4"];
		const opening = { [playlist]: "begin", [track]: "opening" };
		const replace = (files: Readonly<Record<string, string>>) =>
			opened.engine.jobs.replaceOutputs(job.id, job.lock, sent(files), "playable");
		await replace({ "hls/master.m3u8": "leads to the opening", ...opening });
		expect([await text(), await text(playlist)]).toEqual(["leads to the opening", "begin"]);
		const before = await open(playlist);
		await replace({ "hls/master.m3u8": "leads to the track", ...opening, [playlist]: "begin and end" });
		await opened.clock.advance(3000);
		expect([await text(), await text(playlist), await text(track)]).toEqual([
			"leads to the track",
			"begin and end",
			"opening",
		]);
		const after = await open(playlist);
		expect([before.isFinal, after.isFinal, after.etag === before.etag]).toEqual([false, false, false]);
		await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "storage_error", retryable: true });
		await refused(replace({ "hls/master.m3u8": "of an attempt that is over" }), "invalid_video_state");
		await refused(open(playlist), "not_found");
	});

	it.each<[string, (job: Job) => Promise<unknown>]>([
		[
			"is given back",
			({ id, lock }) => opened.engine.jobs.fail(id, { lock, reason: "storage_error", retryable: true }),
		],
		["fails", ({ id, lock }) => opened.engine.jobs.fail(id, { lock, reason: "invalid_media", retryable: false })],
		[
			"is lost",
			async () => {
				await opened.clock.advance(91_000);
				await opened.engine.sweep();
			},
		],
	])("ends with the attempt when that %s, with all its bytes", async (_, end) => {
		const { job, open, belongings } = await encoding();
		await show(job);
		await end(job);
		await refused(open(), "not_found");
		await opened.engine.sweep();
		expect(await belongings()).toEqual([]);
	});

	it.each([
		["cancelled", "not_found"],
		["deleted", "playback_key_required"],
	] as const)("ends when the video is %s, with all its bytes", async (way, code) => {
		const { principal, id, job, open, belongings } = await encoding();
		await show(job);
		await (way === "cancelled"
			? opened.engine.videos.cancel(principal, id)
			: opened.engine.videos.delete(principal, id));
		await refused(open(), code);
		await opened.engine.sweep();
		expect(await belongings()).toEqual([]);
	});

	it("is refused from a worker that doesn't hold the lock, and kept nowhere", async () => {
		const { job, open, belongings } = await encoding();
		await refused(show({ ...job, lock: "00000000-0000-4000-8000-000000000000" }), "not_lock_holder");
		const evil = (async function* () {
			yield { path: "hls/master.m3u8", bytes: bytesOf("x") };
			yield { path: "../x", bytes: bytesOf("x") };
		})();
		await refused(opened.engine.jobs.replaceOutputs(job.id, job.lock, evil, "playable"), "invalid_zip_entry");
		await refused(open(), "not_found");
		expect(await belongings()).toEqual([]);
	});

	it("isn't asked for, nor served, where the operator didn't choose it", async () => {
		const usual = createEngine({ ...opened.options, playableFirst: false });
		const { principal, job, open } = await encoding();
		await show(job);
		await refused(open("hls/master.m3u8", null, usual), "not_found");
		const { video } = await uploadVideo(opened, principal);
		expect((await usual.jobs.claimById(opened.worker, video.id, { worker: "w" })).playable_first).toBe(false);
	});
});
