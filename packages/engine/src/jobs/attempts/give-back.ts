import type { Clock } from "../../ports/index.ts";
import type { AttemptEnd, Step, VideoRecord } from "../../videos/index.ts";

/** How many attempts a job may spoil before the video fails with `retries_exhausted`. */
export const maxAttempts = 3;
/**
 * How many workers in a row a job may lose, without anything finished in between, before it counts as what kills them:
 * the video then fails with `retries_exhausted`.
 */
export const maxFruitlessLosses = 10;
/**
 * After so many losses one more lost worker ends the job, whatever was finished in between: workers with different
 * ffmpegs give up each other's chunks, and would finish others for ever.
 */
export const maxLosses = 500;
/**
 * How often workers may give a job back because they are at fault themselves, before it counts as what makes them so:
 * the video then fails with `retries_exhausted`.
 */
export const maxWorkerFaults = 5;
const backoffMilliseconds = 5000;

/**
 * Returns the step for a job whose attempt ended without a result: it goes back to the queue, or the video fails
 * because the job spoiled its last attempt, or cost too many workers. After an attempt that was spoiled, or whose
 * worker was at fault, the job waits first (5 s, doubled with each one). What the attempt stored is discarded, but for
 * finished chunks. `said` is what the worker said.
 */
export function giveBack(record: VideoRecord, clock: Clock, end: AttemptEnd, said?: string): Step {
	const { attempt = maxAttempts, losses = 0, fruitless = 0, given_back_by = [] } = record.job ?? {};
	const spoiled = attempt - losses;
	const faults = given_back_by.length + 1;
	const isOver = {
		spoiled: spoiled >= maxAttempts,
		stopped: false,
		lost: fruitless + 1 >= maxFruitlessLosses || losses >= maxLosses,
		at_fault: faults >= maxWorkerFaults,
	};
	if (isOver[end]) {
		const causes = {
			lost: `${fruitless + 1} workers in a row were not heard of any more.`,
			at_fault: `${faults} workers gave it back as they were at fault. The last said: ${said}`,
		};
		const cause = end === "lost" || end === "at_fault" ? causes[end] : said;
		return { command: { type: "fail", reason: "retries_exhausted" }, cause };
	}
	const waits = { spoiled, stopped: 0, lost: 0, at_fault: faults }[end];
	const wait = waits === 0 ? 0 : backoffMilliseconds * 2 ** (waits - 1);
	return {
		command: { type: "requeue" },
		requeue: { notBefore: new Date(clock.now() + wait), end },
	};
}
