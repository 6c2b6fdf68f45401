import type { Stopwatch } from "../ports/index.ts";
import { within } from "../system/index.ts";

export type BoundedWait = {
	/**
	 * Runs `work`, which never rejects. Resolves when it has ended, or after `milliseconds`; in the second case the work
	 * goes on by itself.
	 */
	wait(work: () => Promise<void>, milliseconds: number): Promise<void>;
	/** Resolves when all work that was started here has ended. */
	idle(): Promise<void>;
};

/** Waits for work only for a limited time, and remembers the work that outlasts the wait. */
export function createBoundedWait({ clock }: { clock: Stopwatch }): BoundedWait {
	const running = new Set<Promise<void>>();
	return {
		async wait(work, milliseconds) {
			const run: Promise<void> = work().finally(() => running.delete(run));
			running.add(run);
			await within(clock, milliseconds, run, () => undefined);
		},
		async idle() {
			await Promise.all(running);
		},
	};
}
