import type { Clock } from "../ports/index.ts";

export type Following = {
	/** Resolves when `work`, which never rejects, is over, or goes on without whoever waits. */
	wait(work: () => Promise<void>): Promise<void>;
	/** Resolves when nothing goes on any more. */
	idle(): Promise<void>;
};

/** Work that is waited for, but not for longer than `milliseconds`. */
export function createFollowing({ clock, milliseconds }: { clock: Clock; milliseconds: number }): Following {
	const running = new Set<Promise<void>>();
	return {
		async wait(work) {
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
