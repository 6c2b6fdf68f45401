import { createEngine, type ObjectStorage } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { completion, deliver, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

it("tells a worker that its job is over, not that its outputs are missing, where a cancellation has just removed them", async () => {
	const { principal } = await opened.tenant();
	const { video } = await uploadVideo(opened, principal);
	const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	await deliver(opened, job);
	const outputs: ObjectStorage = {
		...opened.outputs,
		async *list(prefix) {
			await opened.engine.videos.cancel(principal, video.id);
			yield* opened.outputs.list(prefix);
		},
	};
	const engine = createEngine({ ...opened.options, outputs });
	await expect(engine.jobs.complete(video.id, completion(job))).rejects.toMatchObject({ code: "invalid_video_state" });
});
