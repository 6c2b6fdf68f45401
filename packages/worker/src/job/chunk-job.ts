import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Chunk } from "@reelmill/contracts";
import { type EncodedChunk, encodeChunk } from "@reelmill/media";
import { sha256Of } from "../sha256-of.ts";
import { type Sender, sendOutputs } from "../transfer/send-outputs.ts";
import type { Attempt, Completion } from "./attempt.ts";

/**
 * Encodes one chunk of a video that another worker has, and sends it to the service. The completion names each file's
 * sum, by which the other worker checks what it gets.
 */
export async function workOnChunk(chunk: Chunk, source: string, attempt: Attempt): Promise<Completion> {
	const { job, outputs, lock, tools, logger, signal, maxSeconds } = attempt;
	const { files, media } = await encodeChunk({
		source,
		directory: outputs,
		job,
		chunk: { first: chunk.first_frame, end: chunk.end_frame },
		digest: chunk.digest,
		tools,
		logger,
		signal,
		maxSeconds,
		onProgress: (percent) => lock.report(percent),
	});
	return sendChunk({ files, media }, attempt);
}

/** Sends the files of a chunk, which are in the folder `outputs`, and returns how it is completed. */
export async function sendChunk({ files, media }: EncodedChunk, sender: Sender): Promise<Completion> {
	await sendOutputs(files, sender);
	const summed = files.map(async (path) => ({
		path,
		size: (await stat(join(sender.outputs, path))).size,
		sha256: await sha256Of(join(sender.outputs, path)),
	}));
	return {
		outputs: { files: await Promise.all(summed), renditions: [] },
		media: { ...media, transcript_status: "disabled", language: null },
	};
}
