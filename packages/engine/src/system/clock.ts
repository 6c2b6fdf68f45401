import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/index.ts";

/** The machine's own clock. */
export const systemClock: Clock = {
	now: () => Date.now(),
	async sleep(milliseconds, signal) {
		await wait(milliseconds, undefined, { ...(signal && { signal }), ref: false }).catch(() => undefined);
	},
};
