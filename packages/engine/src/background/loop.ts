import type { Parts } from "../system/index.ts";

export type Loop = {
	readonly name: string;
	/** Starts the first run. Calling it twice starts the loop once. */
	start(): void;
	/** Asks for another run soon: at once if none runs, else right after the present one. */
	wake(): void;
	/** Resolves when the present run has ended; no other follows. */
	stop(): Promise<void>;
};

/**
 * Runs `work` again and again, one run at a time, with `intervalMilliseconds` between two runs. If `work` returns true,
 * the next run follows at once. A run that fails is logged; the next one comes as usual. If the background's work is done
 * in another process, nothing runs here, and `wake` wakes the loop there, unless `everywhere` is set.
 */
export function createLoop(
	{ clock, logger, backgroundElsewhere }: Pick<Parts, "clock" | "logger" | "backgroundElsewhere">,
	{
		name,
		work,
		intervalMilliseconds,
		everywhere = false,
	}: {
		/** Tells it from other loops, and names it in the log. */
		name: string;
		work: () => Promise<boolean>;
		intervalMilliseconds: number;
		/** Whether each process needs it for itself (default: false). */
		everywhere?: boolean;
	},
): Loop {
	if (backgroundElsewhere !== undefined && !everywhere)
		return { name, start: () => undefined, wake: () => backgroundElsewhere(name), stop: async () => undefined };
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
		name,
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
