import { setInterval } from "node:timers/promises";
import type { Logger } from "@reelmill/engine";
import { removeUntouched, timePrefix } from "@reelmill/storage-local";
import { tryPrefix } from "../operations/try-disk.ts";

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/**
 * The names of files that lie in the data directory for a moment only: archives that workers send, files that test the
 * disk, drafts of private files.
 */
const passing = new RegExp(
	`^(?:reelmill-outputs-${uuid}\\.zip|${tryPrefix}${uuid}|${timePrefix}${uuid}|[a-z]+\\.key\\.${uuid})$`,
);
const oldMilliseconds = 300_000;
/** A leftover is five minutes old when it is removed, so it is gone within ten. */
const lookMilliseconds = 240_000;

/**
 * Removes what killed servers left in the data directory: files that did not change for `milliseconds` (default: five
 * minutes). Resolves to their names.
 */
export const removeLeftovers = (directory: string, milliseconds = oldMilliseconds): Promise<string[]> =>
	removeUntouched(directory, milliseconds, (name) => passing.test(name));

/**
 * Removes leftovers now and every four minutes. Returns a function that ends this; it resolves once nothing of it runs.
 */
export function keepRemovingLeftovers(directory: string, logger: Logger): () => Promise<void> {
	const over = new AbortController();
	const look = async () => {
		try {
			const removed = await removeLeftovers(directory);
			if (removed.length > 0) logger.info({ removed }, "removed what killed servers left in the data directory");
		} catch (error) {
			logger.warn({ error }, "what killed servers left in the data directory could not be removed yet");
		}
	};
	const run = async () => {
		await look();
		for await (const _ of setInterval(lookMilliseconds, undefined, { signal: over.signal, ref: false })) await look();
	};
	const running = run().catch(() => undefined);
	return async () => {
		over.abort();
		await running;
	};
}
