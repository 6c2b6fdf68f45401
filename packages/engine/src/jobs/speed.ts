import type { Job } from "@reelmill/contracts";

/**
 * What the operator wants of AV1: always the better, always the faster encode, or the faster one while the queue is
 * long.
 */
export type SpeedSetting = "auto" | Job["speed"];

/** What is seen of the queue when a job is taken from it. */
export type QueuePressure = {
	/** How long this job has waited. */
	readonly waitedSeconds: number;
	/** Jobs that still wait. */
	readonly waiting: number;
	/** Jobs that workers have, this one among them. */
	readonly running: number;
};

/** A job that waited so long tells that workers don't keep up, where others wait behind it. */
const longWaitSeconds = 120;
/** Jobs waiting for each one that runs. */
const longQueue = 4;

/** Pure: how fast a job is to be encoded. A job that waited alone, because no worker was there, is no pressure. */
export function chooseSpeed(setting: SpeedSetting, { waitedSeconds, waiting, running }: QueuePressure): Job["speed"] {
	if (setting !== "auto") return setting;
	const pressed = waiting >= longQueue * running || (waiting > 0 && waitedSeconds >= longWaitSeconds);
	return pressed ? "fast" : "balanced";
}
