import type { Clock } from "../ports/index.ts";

/**
 * The machine's own clock. It suits an installation of one process, or servers whose clocks agree: see
 * `EngineOptions.clock`.
 */
export const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	// node:timers/promises makes an error, with its stack, for each sleep that ends early: most do.
	sleep: (milliseconds, signal) =>
		new Promise((resolve) => {
			if (signal?.aborted) return resolve();
			const end = (): void => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", end);
				resolve();
			};
			const timer = setTimeout(end, milliseconds).unref();
			signal?.addEventListener("abort", end);
		}),
};
