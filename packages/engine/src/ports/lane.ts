import { StorageError } from "./storage-error.ts";

/** Runs a bounded number of pieces of work at once. The others wait for their turn, in order of arrival. */
export type Lane = {
	/**
	 * Runs `work` and settles as it does.
	 *
	 * @throws {StorageError} without beginning the work, when thousands wait already: what they wait for hangs.
	 */
	run<T>(work: () => Promise<T>): Promise<T>;
};

const mostWaiting = 10_000;

/**
 * Creates a lane with `most` places.
 *
 * A call to a disk that hangs holds a thread of Node's pool until the disk answers. Calls that go through a lane can't
 * hold all of these threads. The lane is our own because reads of some ten microseconds go through it: `p-limit` and
 * its kind put several promises and a queue around each.
 *
 * @example
 * ```ts
 * import { createLane } from "@reelmill/engine";
 *
 * const lane = createLane(1);
 * console.log(await Promise.all([1, 2].map((number) => lane.run(async () => number * 2)))); // => [ 2, 4 ]
 * ```
 */
export function createLane(most: number): Lane {
	let running = 0;
	const waiting: (() => void)[] = [];
	const handOn = (): void => {
		const next = waiting.shift();
		if (next === undefined) running--;
		else next();
	};
	return {
		async run(work) {
			if (running < most) running++;
			else if (waiting.length >= mostWaiting) throw new StorageError("unreachable", "The disk doesn't answer");
			else await new Promise<void>((resolve) => waiting.push(resolve));
			try {
				return await work();
			} finally {
				handOn();
			}
		},
	};
}
