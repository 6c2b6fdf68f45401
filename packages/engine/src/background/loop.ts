import type { Logger, Stopwatch } from "../ports/index.ts";

export type Loop = {
	start(): void;
	/** Runs once more soon: at once if idle, else right after the present run. */
	wake(): void;
	/** Resolves when the present run is over; none follows. */
	stop(): Promise<void>;
};

/**
 * Runs `work` again and again, `intervalMilliseconds` apart, one run at a time. `work` answering true asks for another
 * run at once. A failing run is logged and the next one comes.
 */
export function createLoop({
	name,
	work,
	intervalMilliseconds,
	clock,
	logger,
}: {
	name: string;
	work: () => Promise<boolean>;
	intervalMilliseconds: number;
	clock: Stopwatch;
	logger: Logger;
}): Loop {
	const stopping = new AbortController();
	let waking = new AbortController();
	let running: Promise<void> | null = null;

	const run = async (): Promise<void> => {
		while (!stopping.signal.aborted) {
			waking = new AbortController();
			const again = await work().catch((error: unknown) => {
				logger.error({ error, loop: name }, "a background run failed");
				return false;
			});
			if (!again) await clock.sleep(intervalMilliseconds, AbortSignal.any([stopping.signal, waking.signal]));
		}
	};
	return {
		start() {
			running ??= run();
		},
		wake: () => waking.abort(),
		async stop() {
			stopping.abort();
			await running;
		},
	};
}
