import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

it("leaves no upload behind where the video ends while its upload is created", async () => {
	for (const end of ["cancel", "delete"] as const) {
		const { principal } = await opened.tenant();
		const { video, upload } = await opened.engine.videos.create(principal, clip);
		const uploads = {
			...opened.uploads,
			async create(id: string) {
				await opened.engine.videos[end](principal, id);
				await opened.uploads.create(id);
			},
		};
		const engine = createEngine({ ...opened.options, uploads });
		const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
		await expect(engine.uploads.create(token, { videoId: video.id, length: 10 })).rejects.toMatchObject({
			code: "upload_not_pending",
		});
		expect(await opened.uploads.size(video.id)).toBeNull();
	}
});
