import { createEngine, type ObjectStorage } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { completion, deliver, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

it.each(["before they are listed", "when they are read"])(
	"tells a worker that its job is over, not that its outputs are missing, where a cancellation has removed them %s",
	async (moment) => {
		const { principal } = await opened.tenant();
		const { video } = await uploadVideo(opened, principal);
		const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		await deliver(opened, job);
		const cancel = () => opened.engine.videos.cancel(principal, video.id);
		const outputs: ObjectStorage = {
			...opened.outputs,
			async *list(prefix) {
				if (moment === "before they are listed") await cancel();
				yield* opened.outputs.list(prefix);
			},
			async get(...args) {
				const found = await opened.outputs.get(...args);
				if (moment === "when they are read") await cancel();
				return found;
			},
		};
		const engine = createEngine({ ...opened.options, outputs });
		const completed = engine.jobs.complete(video.id, completion(job));
		await expect(completed).rejects.toMatchObject({ code: "invalid_video_state" });
	},
);
