import type { Parts } from "../system/index.ts";

export type Loop = {
	/** Starts the first run. Calling it twice starts the loop once. */
	start(): void;
	/** Asks for another run soon: at once if none runs, else right after the present one. */
	wake(): void;
	/** Resolves when the present run has ended; no other follows. */
	stop(): Promise<void>;
};

/**
 * Runs `work` again and again, one run at a time, with `intervalMilliseconds` between two runs. If `work` returns true,
 * the next run follows at once. A run that fails is logged; the next one comes as usual.
 */
export function createLoop(
	{ clock, logger }: Pick<Parts, "clock" | "logger">,
	{
		name,
		work,
		intervalMilliseconds,
	}: {
		/** For the log. */
		name: string;
		work: () => Promise<boolean>;
		intervalMilliseconds: number;
	},
): Loop {
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
