import { isReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bytesOf, clip, clipBytes, type OpenedEngine, openEngine } from "../support/open-engine.ts";

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
	/** What each request of the upload is refused with. */
	const refusals = async (): Promise<unknown[]> => {
		const requests = [
			() => engine.uploads.create(token, { videoId: video.id, length: clip.file_size }),
			() => engine.uploads.status(token, video.id),
			() => engine.uploads.append(token, video.id, 0, bytesOf(clipBytes)),
			() => engine.uploads.terminate(token, video.id),
		];
		const thrown: unknown[] = [];
		for (const request of requests) thrown.push(await request().catch((error: unknown) => error));
		return thrown;
	};
	const notPending = async () =>
		(await refusals()).map((error) => {
			if (!isReelmillError(error, "upload_not_pending"))
				throw new Error("the request was not refused with upload_not_pending", { cause: error });
			return error;
		});
	/** What they are told. */
	const told = async (): Promise<string[]> => [...new Set((await notPending()).map(({ message }) => message))];
	/** Whether they are told that every byte came through. */
	const complete = async () => [...new Set((await notPending()).map(({ extras }) => extras.upload_complete))];
	/** How they are told that it ended. */
	const end = async () => [...new Set((await notPending()).map(({ extras }) => extras.upload_end))];
	return { engine, principal, video, token, told, complete, end, refusals };
}

it("says that the upload was cancelled", async () => {
	const { engine, principal, video, told, complete, end } = await begun();
	await engine.videos.cancel(principal, video.id);
	expect(await told()).toEqual(["The upload is over: it was cancelled."]);
	expect(await complete()).toEqual([false]);
	expect(await end()).toEqual(["cancelled"]);
});

it("says that the video was deleted", async () => {
	const { engine, principal, video, told, complete, end } = await begun();
	await engine.videos.delete(principal, video.id);
	expect(await told()).toEqual(["The upload is over: its video or outro was deleted, or another upload replaced it."]);
	expect(await complete()).toEqual([false]);
	expect(await end()).toEqual(["cancelled"]);
});

it("says when the window closed, before and after the sweeper saw it", async () => {
	const { engine, video, told, complete, end } = await begun();
	await opened.clock.advance(hour + 1);
	const messages = await told();
	expect(messages).toEqual([
		`The upload is over: its window closed at ${video.expires_at} before every byte had arrived.`,
	]);
	await engine.sweep();
	expect(await told()).toEqual(messages);
	expect(await complete()).toEqual([false]);
	expect(await end()).toEqual(["expired"]);
});

it("says that every byte has arrived, and what became of the video", async () => {
	const { engine, video, token, told, complete, end } = await begun();
	await engine.uploads.append(token, video.id, 0, bytesOf(clipBytes));
	expect(await told()).toEqual(["The upload is over: every byte has arrived, and the video is in state queued."]);
	const { lock } = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	await engine.jobs.fail(video.id, { lock, reason: "invalid_media", retryable: false });
	expect(await told()).toEqual(["The upload is over: every byte has arrived, and the video is in state failed."]);
	expect(await complete()).toEqual([true]);
	expect(await end()).toEqual(["finished"]);
});

it.each(["source_missing", "storage_error"] as const)(
	"says that the bytes were lost where the video failed as %s",
	async (reason) => {
		const { engine, video, token, told, complete, end } = await begun();
		await engine.uploads.append(token, video.id, 0, bytesOf(clipBytes));
		expect(await complete()).toEqual([true]);
		const { lock } = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		await engine.jobs.fail(video.id, { lock, reason, retryable: false });
		expect(await told()).toEqual([
			"The upload is over: the storage lost what had arrived, and the video is in state failed. Initiate a new one.",
		]);
		expect(await complete()).toEqual([false]);
		expect(await end()).toEqual(["lost"]);
	},
);

it("doesn't call an upload whole that was cancelled after its last byte", async () => {
	const { engine, principal, video, token, complete, end } = await begun();
	await engine.uploads.append(token, video.id, 0, bytesOf(clipBytes));
	await engine.videos.cancel(principal, video.id);
	expect(await complete()).toEqual([false]);
	expect(await end()).toEqual(["cancelled"]);
});

it("says that it knows nothing of an upload whose row a failover took back", async () => {
	const { engine, video, token, refusals } = await begun();
	await engine.uploads.append(token, video.id, 0, bytesOf(clipBytes));
	await opened.database.query(sql`delete from reelmill.videos where id = ${video.id}`);
	for (const refusal of await refusals())
		expect(refusal).toMatchObject({
			code: "video_not_found",
			status: 404,
			message: expect.stringContaining("Initiate a new one"),
		});
});
