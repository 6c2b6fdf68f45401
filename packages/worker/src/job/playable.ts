import { isLockLost, persist } from "../retry.ts";
import { archive } from "../transfer/archive.ts";
import type { Attempt } from "./attempt.ts";

/**
 * Sends the files that can be played already, so that the video is playable before the job is done. They take the
 * place of those that were sent before. A failure doesn't fail the job, since all outputs are sent in the end; but a
 * lost lock does, and so does an aborted signal.
 */
export async function sendPlayable(files: readonly string[], attempt: Attempt): Promise<void> {
	const { service, job, outputs, signal, wait, logger } = attempt;
	// An outro replaces web.mp4 later.
	const playable = job.plan.outro_id === null ? files : files.filter((path) => path !== "web.mp4");
	try {
		await persist(() => service.putArchive(job, archive(outputs, playable), signal, "playable"), { signal, wait });
		logger.info({ files: playable.length }, "playable while the rest is encoded");
	} catch (error) {
		signal.throwIfAborted();
		if (isLockLost(error)) throw error;
		logger.warn({ cause: String(error) }, "the playable files could not be sent before the rest");
	}
}
