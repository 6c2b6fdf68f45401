import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOfWebVtt } from "../../src/transcripts/webvtt-text.ts";
import {
	bytesOf,
	completion,
	contentOf,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../support/open-engine.ts";

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1]);
let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

describe("a transcript", () => {
	it("is the words of the WebVTT file without times, ids, notes and tags", async () => {
		const file =
			"WEBVTT - a title\r\n\r\nNOTE not\r\nspoken\r\n\r\nintro\r\n00:00.000 --> 00:02.000 align:start\r\n<v Ada>Hello &amp; <b>welcome</b>\r\nto it.\r\n\r\n00:02.000 --> 00:03.000\r\n&unknown; 1 &lt; 2\r\n";
		expect(await textOfWebVtt(file)).toBe("Hello & welcome to it.\n&unknown; 1 < 2");
		expect(await textOfWebVtt("WEBVTT\n")).toBe("");
	});

	it("is read with its video, and null with the reason where there is none", async () => {
		const { principal } = await opened.tenant();
		const silent = await opened.engine.videos.create(principal, { content_type: "video/mp4", file_size: 1 });
		expect(await opened.engine.transcripts.get(principal, silent.video.id)).toEqual({
			video_id: silent.video.id,
			status: "disabled",
			text: null,
			language: null,
			transcript_url: null,
		});

		const cancelled = await opened.engine.videos.create(principal, {
			content_type: "video/mp4",
			file_size: 1,
			transcript: true,
		});
		expect(cancelled.video.transcript_status).toBe("pending");
		expect(await opened.engine.videos.cancel(principal, cancelled.video.id)).toMatchObject({
			state: "cancelled",
			transcript_status: "failed",
		});
		expect(await opened.engine.transcripts.get(principal, cancelled.video.id)).toMatchObject({
			status: "failed",
			text: null,
		});

		const { video } = await uploadVideo(opened, principal, { transcript: true });
		const job = await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		await opened.engine.jobs.replaceOutputs(
			job.id,
			job.lock,
			(async function* () {
				for (const path of outputFiles) yield { path, bytes: bytesOf(contentOf(path)) };
				yield { path: "transcript.vtt", bytes: bytesOf("WEBVTT\n\n00:00.000 --> 00:01.000\nGood morning\n") };
				yield { path: "frames/00001.jpg", bytes: bytesOf(jpeg) };
			})(),
		);
		const request = completion(job);
		await opened.engine.jobs.complete(job.id, {
			...request,
			media: { ...request.media, transcript_status: "available", language: "en" },
		});
		expect(await opened.engine.transcripts.get(principal, video.id)).toEqual({
			video_id: video.id,
			status: "available",
			text: "Good morning",
			language: "en",
			transcript_url: `https://video.example/videos/${video.id}/transcript.vtt`,
		});
		const frame = await opened.engine.frames.read(principal, video.id, "00001.jpg");
		expect(Buffer.from(frame).equals(jpeg)).toBe(true);
		await expect(opened.engine.frames.read(principal, video.id, "00002.jpg")).rejects.toMatchObject({
			code: "not_found",
		});
		await expect(opened.engine.frames.read(principal, video.id, "../web.mp4")).rejects.toMatchObject({
			code: "invalid_path",
		});
		const other = await opened.tenant();
		await expect(opened.engine.frames.read(other.principal, video.id, "00001.jpg")).rejects.toMatchObject({
			code: "video_not_found",
		});
	});
});
