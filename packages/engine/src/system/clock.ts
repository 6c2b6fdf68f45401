import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/index.ts";

/**
 * The machine's own clock. It suits an installation of one process, or servers whose clocks agree: see
 * `EngineOptions.clock`.
 */
export const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	async sleep(milliseconds, signal) {
		await wait(milliseconds, undefined, { ...(signal && { signal }), ref: false }).catch(() => undefined);
	},
};
