import { afterEach, beforeEach, expect, it } from "vitest";
import {
	archivedFiles,
	bytesOf,
	deliver,
	finishJob,
	type OpenedEngine,
	openEngine,
	uploadVideo,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const stored = async (prefix: string) =>
	(await Array.fromAsync(opened.outputs.list(prefix), ({ key }) => key.split("/").slice(4).join("/"))).sort();

it("changes nothing of a video that became available while the same worker's earlier archive was still arriving", async () => {
	const { jobs, videos } = opened.engine;
	const { domain, principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const job = await jobs.claimById(opened.worker, video.id, { worker: "w" });
	const late = jobs.replaceOutputs(
		job.id,
		job.lock,
		(async function* () {
			yield { path: "og.jpg", bytes: bytesOf("of the first archive") };
			await finishJob(opened, job);
			yield { path: "web.mp4", bytes: bytesOf("of the first archive") };
		})(),
	);
	await expect(late).rejects.toMatchObject({ code: "invalid_video_state" });
	expect((await videos.get(principal, video.id)).state).toBe("available");
	expect(await stored(`${domain.id}/${video.id}/`)).toEqual(archivedFiles);
});

it("completes with one archive whole, whichever of two that arrive at once came last", async () => {
	const { jobs } = opened.engine;
	const { domain, principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const job = await jobs.claimById(opened.worker, video.id, { worker: "w" });
	await Promise.all([deliver(opened, job), deliver(opened, job)]);
	await Promise.allSettled([deliver(opened, job), finishJob(opened, job)]);
	expect(await stored(`${domain.id}/${video.id}/`)).toEqual(archivedFiles);
});
