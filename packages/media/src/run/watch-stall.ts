import { processorTime } from "./processor-time.ts";

/** How often in the limit the processor time is read. */
const looks = 4;

/**
 * Calls `onStall` once if a process group uses no processor time for so many seconds: it was stopped, waits for what
 * never comes, or its disk hangs. Time in which this process itself stands still doesn't count. Returns what ends the
 * watch.
 */
export function watchStall(group: number, seconds: number, onStall: () => void): () => void {
	let last: string | null = null;
	let unchanged = 0;
	let isLooking = false;
	const look = async () => {
		const now = await processorTime(group);
		unchanged = now !== null && now === last ? unchanged + 1 : 0;
		last = now;
		if (unchanged >= looks) onStall();
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
