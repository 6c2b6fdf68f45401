import { afterEach, beforeEach, expect, it } from "vitest";
import {
	archivedFiles,
	bytesOf,
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

it("keeps nothing of an archive that a server had half stored when it was killed, once another one of the attempt makes the video available", async () => {
	const { domain, principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	const folder = `${domain.id}/${video.id}/`;
	await opened.outputs.put(
		`${folder}${job.lock}/7c347b9c-fad1-454a-93e1-21f045904af1/web.mp4`,
		bytesOf("half an archive"),
	);
	await finishJob(opened, job);
	expect((await opened.engine.videos.get(principal, video.id)).state).toBe("available");
	const stored = await Array.fromAsync(opened.outputs.list(folder), ({ key }) => key.split("/").slice(4).join("/"));
	expect(stored.sort()).toEqual(archivedFiles);
});
