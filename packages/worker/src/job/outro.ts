import { join } from "node:path";
import { isReelmillError } from "@reelmill/client";
import { appendOutro } from "@reelmill/media";
import { ownFaultOf } from "../health/own-fault.ts";
import { download } from "../transfer/download.ts";
import type { OutroResult } from "../work-directory/finished-outputs.ts";
import { type Attempt, isLastAttempt, mayMoveOn } from "./attempt.ts";

const without = (because: string): OutroResult => ({ hasOutro: false, decision: { decision: "left out", because } });

/**
 * Appends the pinned outro to web.mp4. A video never fails for its outro: an outro that was deleted, or that can't be
 * joined, is left out. One that can't be fetched is left out on the last attempt only; before, this rejects, so that
 * another attempt may fetch it. It rejects as well if this worker is at fault, and another one may be tried. Rejects with the signal's reason when the signal aborts.
 */
export async function addOutro(attempt: Attempt): Promise<OutroResult> {
	const { service, job, folder, outputs: directory, tools, logger, signal, maxSeconds } = attempt;
	if (job.outro === null) return without("it was deleted");
	const outro = join(folder, "outro.mp4");
	try {
		const request = (from: number, signal: AbortSignal) => service.source(job, from, signal, "outro");
		await download({ request, size: job.outro.file_size, path: outro }, attempt);
	} catch (error) {
		signal.throwIfAborted();
		if (isReelmillError(error, "file_not_found")) return without("it was deleted");
		if (!isLastAttempt(job)) throw error;
		logger.error({ err: error }, "the outro could not be fetched; the video goes without it");
		return without("its storage did not give it");
	}
	try {
		const { whole } = await appendOutro({ directory, outro, tools, logger, signal, maxSeconds });
		const because = whole
			? "the two could not share one decoder's settings, so web.mp4 was encoded again"
			: "the job asks for it; only the outro was encoded";
		return { hasOutro: true, decision: { decision: "appended to web.mp4", because } };
	} catch (error) {
		signal.throwIfAborted();
		if (ownFaultOf(error) !== null && mayMoveOn(job)) throw error;
		logger.error({ err: error }, "the outro could not be appended; the video goes without it");
		return without("it could not be joined");
	}
}
