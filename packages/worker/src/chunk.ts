import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Chunk, CompleteRequest } from "@reelmill/contracts";
import { encodeChunk } from "@reelmill/media";
import { deliver } from "./deliver.ts";
import { sumOf } from "./finished-work.ts";
import type { Work } from "./job.ts";
import { download } from "./source.ts";

/**
 * Encodes one chunk of a video that another worker has, and delivers it; what completes it comes back, with the sum of
 * each file for that worker.
 */
export async function workOnChunk(
	{ first_frame, end_frame, digest }: Chunk,
	{ job, folder, lease, signal, context }: Work,
): Promise<Omit<CompleteRequest, "lock">> {
	const { plane, tools, logger, wait, idleMilliseconds, maxSeconds } = context;
	const source = join(folder, "source");
	const directory = join(folder, "outputs");
	await download({
		request: (from, cut) => plane.source(job, from, cut),
		size: job.source.file_size,
		path: source,
		signal,
		wait,
		idleMilliseconds,
	});
	const chunk = { first: first_frame, end: end_frame };
	const onProgress = (percent: number) => lease.report(percent);
	const { files, media } = await encodeChunk({
		source,
		directory,
		job,
		chunk,
		digest,
		tools,
		logger,
		signal,
		maxSeconds,
		onProgress,
	});
	await deliver({ plane, job, directory, files, signal, wait, idleMilliseconds, logger });
	const summed = files.map(async (path) => ({
		path,
		size: (await stat(join(directory, path))).size,
		sha256: await sumOf(join(directory, path)),
	}));
	return {
		outputs: { files: await Promise.all(summed), renditions: [] },
		media: { ...media, transcript_status: "disabled", language: null },
	};
}
