import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
	await opened.engine.start();
});
afterAll(() => opened.close());

const jobs = () => opened.engine.jobs;
const claim = (takes_sandbox?: boolean, takes_chunks = true) =>
	jobs().claim(opened.worker, {
		worker: "w",
		wait_seconds: 0,
		takes_chunks,
		...(takes_sandbox !== undefined && { takes_sandbox }),
	});
const byStranger = async () => {
	const { api_key } = await opened.engine.sandbox.createSession();
	return (await uploadVideo(opened, await opened.engine.keys.authenticate(`Bearer ${api_key}`))).video;
};

it("a worker that can't confine ffmpeg is given no job of the sandbox, and another one is", async () => {
	const video = await byStranger();
	for (const takesChunks of [false, true]) expect(await claim(false, takesChunks)).toBeNull();
	await expect(jobs().claimById(opened.worker, video.id, { worker: "w", takes_sandbox: false })).rejects.toMatchObject({
		code: "video_not_claimable",
	});
	const tenant = await opened.tenant();
	const { video: other } = await uploadVideo(opened, tenant.principal);
	expect(await claim(false)).toMatchObject({ id: other.id });
	expect(await claim()).toMatchObject({ id: video.id, attempt: 1 });
});

it("nor a chunk of such a job", async () => {
	const video = await byStranger();
	const parent = await jobs().claimById(opened.worker, video.id, { worker: "parent" });
	const chunks = [{ first_frame: 50, end_frame: 100, digest: "a".repeat(64), speed: "balanced" as const }];
	const { data } = await jobs().offerChunks(parent.id, { lock: parent.lock, chunks });
	expect(await claim(false)).toBeNull();
	const [id = ""] = data;
	await expect(jobs().claimById(opened.worker, id, { worker: "w", takes_sandbox: false })).rejects.toMatchObject({
		code: "video_not_claimable",
	});
	expect(await claim(true)).toMatchObject({ id, kind: "chunk" });
});
