import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CompleteRequest, Job } from "@reelmill/contracts";
import { transcribeFinished } from "@reelmill/media";
import { deliver } from "./deliver.ts";
import type { Work } from "./job.ts";
import { download } from "./source.ts";

const file = "transcript.vtt";

/** Makes the transcript of a video that is available already, and delivers it; what completes the job comes back. */
export async function workOnTranscript(
	{ duration_seconds: durationSeconds }: NonNullable<Job["transcript"]>,
	{ job, folder, signal, context }: Work,
): Promise<Omit<CompleteRequest, "lock">> {
	const { plane, tools, logger, wait, idleMilliseconds, maxSeconds, transcriber } = context;
	if (transcriber === undefined) throw new Error("This worker was given a transcript to make, and has no transcriber.");
	const source = join(folder, "source");
	const directory = join(folder, "outputs");
	await mkdir(directory, { recursive: true });
	await download({
		request: (from, cut) => plane.source(job, from, cut),
		size: job.source.file_size,
		path: source,
		signal,
		wait,
		idleMilliseconds,
	});
	const { status, language } = await transcribeFinished({
		source,
		directory,
		durationSeconds,
		transcriber,
		tools,
		logger,
		signal,
		maxSeconds,
	});
	const files =
		status === "available"
			? await deliver({ plane, job, directory, files: [file], signal, wait, idleMilliseconds, logger })
			: [];
	return {
		outputs: { files, renditions: [] },
		// The server keeps the video's own width and height: only the transcript is taken from this completion.
		media: { duration_seconds: durationSeconds, width: 1, height: 1, transcript_status: status, language },
	};
}
