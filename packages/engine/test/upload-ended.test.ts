import { isReelmillError } from "@reelmill/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bytesOf, clip, clipBytes, type OpenedEngine, openEngine } from "./support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const hour = 3_600_000;

async function begun() {
	const { engine } = opened;
	const { principal } = await opened.tenant();
	const { video, upload } = await engine.videos.create(principal, clip);
	const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
	await engine.uploads.create(token, { videoId: video.id, length: clip.file_size });
	/** What each request of the upload is told. */
	const told = async (): Promise<string[]> => {
		const requests = [
			() => engine.uploads.create(token, { videoId: video.id, length: clip.file_size }),
			() => engine.uploads.status(token, video.id),
			() => engine.uploads.append(token, video.id, 0, bytesOf(clipBytes)),
			() => engine.uploads.terminate(token, video.id),
		];
		const messages: string[] = [];
		for (const request of requests) {
			const error = await request().catch((thrown: unknown) => thrown);
			if (!isReelmillError(error, "upload_not_pending")) throw new Error("the request was not refused with upload_not_pending", { cause: error });
			messages.push(error.message);
		}
		return [...new Set(messages)];
	};
	return { engine, principal, video, token, told };
}

it("says that the upload was cancelled", async () => {
	const { engine, principal, video, told } = await begun();
	await engine.videos.cancel(principal, video.id);
	expect(await told()).toEqual(["The upload is over: it was cancelled."]);
});

it("says that the video was deleted", async () => {
	const { engine, principal, video, told } = await begun();
	await engine.videos.delete(principal, video.id);
	expect(await told()).toEqual(["The upload is over: its video or outro was deleted, or another upload replaced it."]);
});

it("says when the window closed, before and after the sweeper saw it", async () => {
	const { engine, video, told } = await begun();
	await opened.clock.advance(hour + 1);
	const messages = await told();
	expect(messages).toEqual([`The upload is over: its window closed at ${video.expires_at} before every byte had arrived.`]);
	await engine.sweep();
	expect(await told()).toEqual(messages);
});

it("says that every byte has arrived, and what became of the video", async () => {
	const { engine, video, token, told } = await begun();
	await engine.uploads.append(token, video.id, 0, bytesOf(clipBytes));
	expect(await told()).toEqual(["The upload is over: every byte has arrived, and the video is in state queued."]);
	const { lock } = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	await engine.jobs.fail(video.id, { lock, reason: "invalid_media", retryable: false });
	expect(await told()).toEqual(["The upload is over: every byte has arrived, and the video is in state failed."]);
});
