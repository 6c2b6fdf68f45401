import type { Job } from "@reelmill/contracts";

/** How the operator wants videos encoded: always better, always faster, or faster while the queue is long (`auto`). */
export type SpeedSetting = "auto" | Job["speed"];

/** The state of the queue when a job is taken from it. */
export type QueuePressure = {
	/** How long this job waited. */
	readonly waitedSeconds: number;
	/** Jobs that wait. */
	readonly waiting: number;
	/** Jobs that workers have, this one included. Infinity if they are too many to be counted. */
	readonly running: number;
};

/** If a job waited this long and others wait behind it, the workers don't keep up. */
const longWaitSeconds = 120;
/** How many jobs wait for each running one if the queue is long. */
export const longQueue = 4;

/**
 * Returns how fast a job is to be encoded. A job that waited alone, because there was no worker, doesn't make the queue
 * long. The function is pure.
 */
export function chooseSpeed(setting: SpeedSetting, { waitedSeconds, waiting, running }: QueuePressure): Job["speed"] {
	if (setting !== "auto") return setting;
	const pressed = waiting >= longQueue * running || (waiting > 0 && waitedSeconds >= longWaitSeconds);
	return pressed ? "fast" : "balanced";
}
