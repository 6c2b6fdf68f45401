import { setTimeout } from "node:timers/promises";
import { type Import, isReelmillError } from "@reelmill/node";

/** How long to wait for some of the domain's imports to end, if it has as many as it may. */
const roomMilliseconds = 15_000;

/** Does `create` again while the domain has as many imports under way as it may. */
export async function whenThereIsRoom(create: () => Promise<Import>, signal: AbortSignal): Promise<Import> {
	while (true) {
		try {
			return await create();
		} catch (error) {
			if (!isReelmillError(error, "import_limit_reached")) throw error;
			await pause(roomMilliseconds, signal);
		}
	}
}

/** Waits; rejects with the signal's reason. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
	setTimeout(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
