import { join } from "node:path";
import { isReelmillError } from "@reelmill/client";
import type { Job } from "@reelmill/contracts";
import { appendOutro, type Logger, type Tools } from "@reelmill/media";
import type { InternalPlane } from "./internal-plane.ts";
import type { Sleep } from "./retry.ts";
import { download } from "./source.ts";

export type OutroOptions = {
	readonly plane: Pick<InternalPlane, "source">;
	readonly job: Job;
	/** Takes the mezzanine. */
	readonly folder: string;
	/** Of the outputs; `web.mp4` there is replaced. */
	readonly directory: string;
	readonly tools: Tools;
	readonly logger: Logger;
	readonly signal: AbortSignal;
	readonly wait: Sleep;
	readonly idleMilliseconds: number;
	readonly maxSeconds: number;
};

/** What became of the outro, for the report. */
type OutroDecision = { readonly decision: string; readonly because: string };
export type Appended = { readonly hasOutro: boolean; readonly decision: OutroDecision };

const without = (because: string): Appended => ({ hasOutro: false, decision: { decision: "left out", because } });
/** Of this attempt a failure would be the video's. */
export const lastAttempt = 3;

/**
 * Appends the pinned outro to web.mp4. A video never fails for its outro: one whose bytes are gone, or that can't be
 * joined, is left out, and one that can't be fetched is only while attempts are left: then it rejects, as it does with
 * the signal's reason.
 */
export async function addOutro({
	plane,
	job,
	folder,
	directory,
	tools,
	logger,
	signal,
	wait,
	idleMilliseconds,
	maxSeconds,
}: OutroOptions): Promise<Appended> {
	if (job.outro === null) return without("it was deleted");
	const outro = join(folder, "outro.mp4");
	try {
		const request = (from: number, cut: AbortSignal) => plane.source(job, from, cut, "outro");
		await download({ request, size: job.outro.file_size, path: outro, signal, wait, idleMilliseconds });
	} catch (error) {
		signal.throwIfAborted();
		if (isReelmillError(error, "file_not_found")) return without("it was deleted");
		if (job.attempt < lastAttempt) throw error;
		logger.error({ job: job.id, err: error }, "the outro could not be fetched; the video goes without it");
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
		logger.error({ job: job.id, err: error }, "the outro could not be appended; the video goes without it");
		return without("it could not be joined");
	}
}
