import type { Clock } from "../../ports/index.ts";
import type { Step, VideoRecord } from "../../videos/index.ts";

/** How many attempts a job may spoil before the video fails with `retries_exhausted`. */
export const maxAttempts = 3;
/**
 * How many workers in a row a job may lose, without anything finished in between, before it counts as what kills them:
 * the video then fails with `retries_exhausted`.
 */
export const maxFruitlessLosses = 25;
/**
 * After so many losses one more lost worker ends the job, whatever was finished in between: workers with different
 * ffmpegs give up each other's chunks, and would finish others for ever.
 */
export const maxLosses = 500;
const backoffMilliseconds = 5000;

/**
 * How an attempt ended without a result: its worker gave it up (`spoiled`), was told to stop (`stopped`), or was not
 * heard of any more (`lost`).
 */
export type AttemptEnd = "spoiled" | "stopped" | "lost";

/**
 * Returns the step for a job whose attempt ended without a result: it goes back to the queue, or the video fails
 * because the job spoiled its last attempt or lost too many workers. After a spoiled attempt the job waits first
 * (5 s, doubled with each one). What the attempt stored is discarded, but for finished chunks.
 */
export function giveBack(record: VideoRecord, clock: Clock, end: AttemptEnd): Step {
	const { attempt = maxAttempts, losses = 0, fruitless = 0 } = record.job ?? {};
	const spoiled = attempt - losses;
	const isOver =
		(end === "spoiled" && spoiled >= maxAttempts) ||
		(end === "lost" && (fruitless + 1 >= maxFruitlessLosses || losses >= maxLosses));
	if (isOver) return { command: { type: "fail", reason: "retries_exhausted" } };
	const wait = end === "spoiled" ? backoffMilliseconds * 2 ** (spoiled - 1) : 0;
	return {
		command: { type: "requeue" },
		requeue: { notBefore: new Date(clock.now() + wait), end },
	};
}
