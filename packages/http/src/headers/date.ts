import type { ServerResponse } from "node:http";
import { type Clock, systemClock } from "@reelmill/engine";

/** The header counts whole seconds: what it is wrong by below this, nobody sees. */
const tolerableMilliseconds = 500;

/**
 * Node dates answers by the machine's clock, and workers judge by the date for how long they hold a lock. Where the
 * machine's clock is wrong the engine's time stands in its place.
 */
export function dateAnswer(response: ServerResponse, clock: Clock): void {
	const now = clock.now();
	if (Math.abs(now - systemClock.now()) > tolerableMilliseconds)
		response.setHeader("date", new Date(now).toUTCString());
}
