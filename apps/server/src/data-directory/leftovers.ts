import { setInterval } from "node:timers/promises";
import type { Logger } from "@reelmill/engine";
import { removeUntouched, timePrefix } from "@reelmill/storage-local";
import { tryPrefix } from "../operations/try-disk.ts";

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/**
 * What lies in the data directory for moments alone: archives that workers send, tries of the disk, drafts of kept
 * files.
 */
const passing = new RegExp(
	`^(?:reelmill-outputs-${uuid}\\.zip|${tryPrefix}${uuid}|${timePrefix}${uuid}|[a-z]+\\.key\\.${uuid})$`,
);
const oldMilliseconds = 300_000;
/** What is five minutes old is a leftover: so it is gone within ten. */
const lookMilliseconds = 240_000;

/**
 * Removes from the data directory what servers that were killed left there, unchanged for five minutes unless told;
 * answers its names.
 */
export const removeLeftovers = (directory: string, milliseconds = oldMilliseconds): Promise<string[]> =>
	removeUntouched(directory, milliseconds, (name) => passing.test(name));

/**
 * Does so now and every four minutes. Resolves, when the function that it answers is called, once nothing of it runs.
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
