import { afterEach, beforeEach, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const hour = 3_600_000;

it("counts an expired upload for the day after it expired, whatever is changed of the video later", async () => {
	const { videos } = opened.engine;
	const { principal } = await opened.tenant();
	const initiate = () => videos.create(principal, { ...clip, uploader_ref: "anna" });
	const ids: string[] = [];
	for (let index = 0; index < 3; index++) {
		ids.push((await initiate()).video.id);
		await opened.clock.advance(hour);
		await opened.engine.sweep();
	}
	await expect(initiate()).rejects.toMatchObject({ code: "too_many_incomplete_uploads" });
	for (const id of ids) await videos.setVisibility(principal, id, "public");
	await opened.clock.advance(22 * hour);
	expect((await initiate()).video.state).toBe("pending_upload");
});
