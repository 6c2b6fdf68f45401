import type { Clock } from "../ports/index.ts";
import type { Step, VideoRecord } from "../videos/index.ts";
import { attemptPrefix } from "./outputs.ts";

/** How many attempts a video has before it fails with `retries_exhausted`. */
export const maxAttempts = 3;
const backoffMilliseconds = 5000;

/**
 * Returns the step for a job whose attempt ended without a result: it goes back to the queue, or the video fails after
 * the last attempt. With `backoff` the job waits first (5 s, doubled with each attempt); a job whose lock expired has
 * waited long enough. What the attempt stored is discarded.
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
