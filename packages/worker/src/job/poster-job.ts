import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@reelmill/contracts";
import { makePoster, type PosterSource } from "@reelmill/media";
import { fetchRanges } from "../transfer/fetch-ranges.ts";
import { sendOutputs } from "../transfer/send-outputs.ts";
import { type Attempt, type Completion, fetchSource } from "./attempt.ts";

const formats = { "image/jpeg": "jpeg", "image/png": "png", "image/webp": "webp" } as const;

/** Makes the pictures that stand for a video that is available already, and sends them to the service. */
export async function workOnPoster(
	{ at_seconds: atSeconds, preview, width, height }: NonNullable<Job["poster"]>,
	attempt: Attempt,
): Promise<Completion> {
	const { job, outputs, folder, tools, logger, signal, maxSeconds } = attempt;
	await mkdir(outputs, { recursive: true });
	const make = (source: PosterSource) =>
		makePoster({ source, size: { width, height }, directory: outputs, folder, tools, logger, signal, maxSeconds });
	const made = atSeconds === null ? await ofPicture() : await ofFrame(atSeconds);
	return {
		outputs: { files: await sendOutputs(made, attempt), renditions: [] },
		// The server takes only the files from this completion, and keeps what it knows of the video.
		media: { duration_seconds: 0, width, height, transcript_status: "disabled", language: null },
	};

	async function ofPicture(): Promise<string[]> {
		const format = formats[job.source.content_type as keyof typeof formats];
		if (format === undefined) throw new Error(`This worker can't read a picture of ${job.source.content_type}.`);
		return make({ path: await fetchSource(attempt), format });
	}

	async function ofFrame(seconds: number): Promise<string[]> {
		const path = join(folder, "source");
		const { need, bytes } = await fetchRanges({ ...attempt, path });
		const files = await make({ path, bytes: job.source.file_size, atSeconds: seconds, preview, need });
		logger.debug({ bytes: bytes() }, "the poster's frame was fetched");
		return files;
	}
}
