import type { Clock } from "../ports/index.ts";
import type { Step, VideoRecord } from "../videos/index.ts";
import { attemptPrefix } from "./outputs.ts";

/** Attempts in all before a video fails with `retries_exhausted`. */
export const maxAttempts = 3;
const backoffMilliseconds = 5000;

/**
 * What becomes of a job whose attempt ended without a result: back to the queue, or the video fails when it was the
 * last one. A worker that said so waits out a backoff, 5 s doubled per attempt; a lock that was lost has waited long
 * enough. What the attempt stored is discarded.
 */
export function giveBack(record: VideoRecord, clock: Clock, backoff: boolean): Step {
	const { attempt = maxAttempts, lock = null, playable = null } = record.job ?? {};
	if (attempt >= maxAttempts) return { command: { type: "fail", reason: "retries_exhausted" } };
	const wait = backoff ? backoffMilliseconds * 2 ** (attempt - 1) : 0;
	return {
		command: { type: "requeue" },
		requeueNotBefore: new Date(clock.now() + wait),
		discards: [
			...(lock === null ? [] : [attemptPrefix(record.domain_id, record.id, lock)]),
			...(playable === null ? [] : [playable.prefix]),
		].map((reference) => ({
			kind: "outputs",
			reference,
		})),
	};
}
