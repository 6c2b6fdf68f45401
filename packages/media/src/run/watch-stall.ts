import { processorTime } from "./processor-time.ts";

/** How often in the limit the processor time is read. */
const looks = 4;
/** A program that works uses more of a processor than this. One that waits in a loop uses less. */
const leastShare = 0.001;

/**
 * Returns whether a group stands still whose processor time was read so, as often as in the limit. The time of an ended
 * process is lost if its parent left the group: what became less was used as well.
 */
export const standsStill = (readings: readonly number[], seconds: number): boolean =>
	readings.length > looks && readings.every((one) => Math.abs(one - (readings[0] ?? 0)) < seconds * leastShare);

/**
 * Calls `onStall` once if a process group uses next to no processor time for so many seconds: it was stopped, waits for
 * what never comes, or its disk hangs. Time in which this process itself stands still doesn't count. Returns what ends
 * the watch.
 */
export function watchStall(group: number, seconds: number, onStall: () => void): () => void {
	let readings: number[] = [];
	let isLooking = false;
	const look = async () => {
		const now = await processorTime(group);
		readings = now === null ? [] : [...readings, now].slice(-looks - 1);
		if (standsStill(readings, seconds)) onStall();
	};
	const timer = setInterval(
		() => {
			if (isLooking) return;
			isLooking = true;
			look().finally(() => {
				isLooking = false;
			});
		},
		(seconds * 1000) / looks,
	);
	return () => clearInterval(timer);
}
