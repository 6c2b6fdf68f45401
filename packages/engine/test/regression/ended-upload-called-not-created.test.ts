import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bytesOf, clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

it("tells a request that an end overtook that the upload is over, not that it was never created", async () => {
	for (const request of ["status", "append"] as const) {
		const { principal } = await opened.tenant();
		const { video, upload } = await opened.engine.videos.create(principal, clip);
		const token = await opened.engine.uploads.authenticate(`Bearer ${upload.token}`);
		await opened.engine.uploads.create(token, { videoId: video.id, length: 10 });
		const uploads = {
			...opened.uploads,
			async size(id: string) {
				await opened.engine.videos.cancel(principal, id);
				return opened.uploads.size(id);
			},
		};
		const { uploads: overtaken } = createEngine({ ...opened.options, uploads });
		const answer =
			request === "status" ? overtaken.status(token, video.id) : overtaken.append(token, video.id, 0, bytesOf("0"));
		await expect(answer).rejects.toMatchObject({ code: "upload_not_pending" });
	}
});
