import type { Stopwatch } from "../ports/index.ts";

export type Following = {
	/**
	 * Resolves when `work`, which never rejects, is over, or after so many milliseconds: then it goes on without whoever
	 * waits.
	 */
	wait(work: () => Promise<void>, milliseconds: number): Promise<void>;
	/** Resolves when nothing goes on any more. */
	idle(): Promise<void>;
};

/** Work that is waited for, but not for long. */
export function createFollowing({ clock }: { clock: Stopwatch }): Following {
	const running = new Set<Promise<void>>();
	return {
		async wait(work, milliseconds) {
			const over = new AbortController();
			const run: Promise<void> = work().finally(() => {
				running.delete(run);
				over.abort();
			});
			running.add(run);
			await Promise.race([run, clock.sleep(milliseconds, over.signal)]);
		},
		async idle() {
			await Promise.all(running);
		},
	};
}
