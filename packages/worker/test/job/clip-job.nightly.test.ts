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

/**
 * Works on a clip of a video whose service has no file any more, and returns what the worker then says. `answer` is the
 * service's answer to that.
 */
async function failed(files: NonNullable<Job["clip"]>["files"], answer: () => Promise<void> = async () => {}) {
	let told: unknown;
	const { signal } = new AbortController();
	const logger = recordingLogger();
	const wait = async () => {};
	const service = {
		sourceRange: async () => Promise.reject(new ReelmillError("file_not_found")),
		fail: async (_: Job, failure: unknown) => {
			told = failure;
			return answer();
		},
	};
	const job = { kind: "video", attempt: 1, plan: { outputs: {}, moderation_frames: false } } as unknown as Job;
	const lock = { signal, report: () => {}, unsent: () => undefined };
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	const parts = { service, logger, wait, idleMilliseconds: 60_000, tools, maxSeconds: 60 };
	const attempt = { ...parts, job, folder, outputs: join(folder, "outputs"), lock, signal } as unknown as Attempt;
	const clip = { files, start_seconds: 0, end_seconds: 1, language: null };
	const error = await workOnClip(clip, attempt).catch((reason: unknown) => reason);
	const ended = { job, lock, dropped: signal, parts } as unknown as Parameters<typeof endFailedAttempt>[1];
	await endFailedAttempt(error, ended);
	return { told: told as FailRequest, lines: logger.lines.map(({ message }) => message) };
}

it("a clip is given back if a file of its video was replaced while it was cut, and fails if the video is gone", async () => {
	expect((await failed([{ path: "web.mp4", size: 100 }])).told).toMatchObject({
		retryable: true,
		message: "web.mp4 was replaced while the clip was cut.",
	});
	expect((await failed([])).told).toMatchObject({ reason: "source_missing", retryable: false });
});

it("a job whose video was deleted meanwhile has no lock that would run out", async () => {
	const gone = async () => Promise.reject(new ReelmillError("video_not_found"));
	expect((await failed([], gone)).lines.at(-1)).toBe("the job had ended before its failure was told");
});
