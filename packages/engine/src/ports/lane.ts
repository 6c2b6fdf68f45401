import { StorageError } from "./storage-error.ts";

/** Lets so many pieces of work run at once; others wait for their turn, in order of arrival. */
export type Lane = {
	/**
	 * What `work` comes to. Rejects with a StorageError, without beginning it, where thousands wait already: what they
	 * wait for hangs.
	 */
	run<T>(work: () => Promise<T>): Promise<T>;
};

const mostWaiting = 10_000;

/**
 * A lane of `most` places. Calls to a disk that hangs hold a thread of Node's pool each until it answers: what goes
 * through a lane can't hold all of them. It is our own since reads go through it that are answered in some ten
 * microseconds: `p-limit` and its kind put several promises and a queue around each.
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
