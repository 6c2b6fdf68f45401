import type { Stopwatch } from "../ports/index.ts";

/**
 * Settles as `work` or `rival`, whichever settles first. The rival's signal is aborted when the race is over; what the
 * rival does after that is ignored. `work` can't be stopped from here: it goes on by itself if the rival was first.
 */
export async function race<T, R>(work: Promise<T>, rival: (signal: AbortSignal) => Promise<R>): Promise<T | R> {
	const over = new AbortController();
	try {
		return await Promise.race([work, rival(over.signal)]);
	} finally {
		// Without a reason, an error would be made.
		over.abort(null);
	}
}

/**
 * Settles as `work`, or as `onLate` if `work` takes longer than `milliseconds` of the clock. `onLate` is called at most
 * once, and never after `work` has settled; it may throw. Late work goes on by itself, and what it comes to is ignored.
 * No timer is left behind.
 */
export const within = <T, R>(
	clock: Stopwatch,
	milliseconds: number,
	work: Promise<T>,
	onLate: () => R,
): Promise<T | R> =>
	race(work, async (signal) => {
		await clock.sleep(milliseconds, signal);
		return signal.aborted ? (undefined as R) : onLate();
	});
