/** A process that served for less than this is counted as one that failed to start, in milliseconds. */
const shortMilliseconds = 10_000;
const firstWaitMilliseconds = 100;
const longestWaitMilliseconds = 10_000;
/** So many failures in a row, and nobody expects the next start to succeed. */
const patience = 5;

/** Decides when a process is started again. */
export type Restarts = {
	/**
	 * Notes that the process ended after it had answered requests for so many milliseconds; 0 if it never did. Returns
	 * how long to wait before the next start: 100 ms, and twice as long for each further failure, up to 10 s.
	 */
	ended(servedMilliseconds: number): number;
	/** Whether the last five starts all failed. */
	isHopeless(): boolean;
};

export function createRestarts(): Restarts {
	let failures = 0;
	return {
		ended(servedMilliseconds) {
			if (servedMilliseconds >= shortMilliseconds) failures = 0;
			const wait = Math.min(firstWaitMilliseconds * 2 ** failures, longestWaitMilliseconds);
			failures++;
			return wait;
		},
		isHopeless: () => failures >= patience,
	};
}
