import { processorTime } from "./processor-time.ts";

/** How often in the limit the processor time is read. */
const looks = 4;
/** A program that works uses more of a processor than this. One that waits in a loop uses less. */
const leastShare = 0.001;

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
		const [first = 0] = readings;
		if (now === null || readings.length <= looks) return;
		// The time of an ended process is gone if its parent left the group: what is less now was used as well.
		if (readings.every((one) => Math.abs(one - first) < seconds * leastShare)) onStall();
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
