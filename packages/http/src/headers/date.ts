import type { ServerResponse } from "node:http";
import { type Clock, systemClock } from "@reelmill/engine";

/** The header counts whole seconds, so a smaller difference does not matter. */
const tolerableMilliseconds = 500;

/**
 * Sets the Date header to the engine's time if the machine's clock is wrong. Node would send the machine's time, and
 * workers compute from this header how long they hold a lock.
 */
export function dateAnswer(response: ServerResponse, clock: Clock): void {
	const now = clock.now();
	if (Math.abs(now - systemClock.now()) > tolerableMilliseconds)
		response.setHeader("date", new Date(now).toUTCString());
}
