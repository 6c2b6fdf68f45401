import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReelmillError } from "@reelmill/client";
import type { FailRequest, Job } from "@reelmill/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Attempt } from "../../src/job/attempt.ts";
import { workOnClip } from "../../src/job/clip-job.ts";
import { endFailedAttempt } from "../../src/job/failure.ts";
import { recordingLogger } from "../support/fixtures.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-clip-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Works on a clip of a video whose service has no file any more, and returns what the worker then says. */
async function toldOf(files: NonNullable<Job["clip"]>["files"]): Promise<FailRequest> {
	let told: unknown;
	const { signal } = new AbortController();
	const logger = recordingLogger();
	const wait = async () => {};
	const service = {
		sourceRange: async () => Promise.reject(new ReelmillError("file_not_found")),
		fail: async (_: Job, failure: unknown) => {
			told = failure;
		},
	};
	const job = { kind: "video", attempt: 1, plan: { outputs: {}, moderation_frames: false } } as unknown as Job;
	const lock = { signal, report: () => {}, unsent: () => undefined };
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	const parts = { service, logger, wait, idleMilliseconds: 60_000, tools, maxSeconds: 60 };
	const attempt = { ...parts, job, folder, outputs: join(folder, "outputs"), lock, signal } as unknown as Attempt;
	const clip = { files, start_seconds: 0, end_seconds: 1, language: null };
	const error = await workOnClip(clip, attempt).catch((reason: unknown) => reason);
	const failed = { job, lock, dropped: signal, parts } as unknown as Parameters<typeof endFailedAttempt>[1];
	await endFailedAttempt(error, failed);
	return told as FailRequest;
}

it("a clip is given back if a file of its video was replaced while it was cut, and fails if the video is gone", async () => {
	expect(await toldOf([{ path: "web.mp4", size: 100 }])).toMatchObject({
		retryable: true,
		message: "web.mp4 was replaced while the clip was cut.",
	});
	expect(await toldOf([])).toMatchObject({ reason: "source_missing", retryable: false });
});
