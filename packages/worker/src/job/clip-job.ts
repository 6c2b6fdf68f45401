import { join } from "node:path";
import { isReelmillError, ReelmillError } from "@reelmill/client";
import type { Job } from "@reelmill/contracts";
import { cutVideo } from "@reelmill/media";
import { download } from "../transfer/download.ts";
import { writeFinished } from "../work-directory/finished-outputs.ts";
import type { Attempt, Completion } from "./attempt.ts";
import { send } from "./video-job.ts";

/**
 * Cuts a clip out of a finished video, of which only what it needs is fetched, and sends it to the service.
 * @throws {ReelmillError} `file_not_found` when the video was gone before
 * @throws {Error} when captions, chapters or other files of the video were replaced meanwhile: another attempt gets them
 */
export async function workOnClip(
	{ files, start_seconds: startSeconds, end_seconds: endSeconds, language }: NonNullable<Job["clip"]>,
	attempt: Attempt,
): Promise<Completion> {
	const { service, job, folder, outputs: directory, lock, tools, logger, signal, maxSeconds } = attempt;
	if (files.length === 0) throw new ReelmillError("file_not_found");
	const sizes = Object.fromEntries(files.map(({ path, size }) => [path, size]));
	let fetched = 0;
	const made = await cutVideo({
		...{ startSeconds, endSeconds, directory, tools, logger, signal, maxSeconds },
		source: join(folder, "source"),
		remote: {
			files: sizes,
			async fetch(file, part, path) {
				const end = part.offset + part.length;
				const request = (from: number, signal: AbortSignal) =>
					service.sourceRange(job, { from, end }, signal, file).catch((cause: unknown) => {
						// During an upgrade, another server may answer the next request.
						if (isReelmillError(cause, "validation_error")) throw new Error("This server knows no clips.", { cause });
						throw cause;
					});
				await download({ request, size: sizes[file] as number, path, part }, attempt).catch((cause: unknown) => {
					// The next attempt is told what the video has by then: nothing if it is deleted.
					if (!isReelmillError(cause, "file_not_found")) throw cause;
					throw new Error(`${file} was replaced while the clip was cut.`, { cause });
				});
				fetched += part.length;
			},
		},
		outputs: job.plan.outputs,
		moderationFrames: job.plan.moderation_frames,
		onProgress: (percent) => lock.report(Math.min(99, percent)),
	});
	logger.info({ bytes: fetched }, "a clip was cut");
	const transcript = made.files.includes("transcript.vtt") ? ({ status: "available", language } as const) : undefined;
	const whole = { ...made, ...(transcript && { transcript }), report: { ...made.report, fetched_bytes: fetched } };
	return send(await writeFinished(folder, job, { made: whole, outro: null }), attempt);
}
