import type { Logger } from "../ports/index.ts";

/** After so many failures one after the other, what they have in common is at fault: the rest is left for later. */
const patience = 5;

/**
 * Does the work for each item, in order. One that fails is logged and doesn't hold up the others; after five failures
 * in a row this rejects with the last of them.
 */
export async function eachApart<Item extends { readonly id: string }>(
	items: readonly Item[],
	{ logger, task }: { readonly logger: Logger; readonly task: string },
	work: (item: Item) => Promise<unknown>,
): Promise<void> {
	let failures = 0;
	for (const item of items) {
		try {
			await work(item);
			failures = 0;
		} catch (error) {
			if (++failures === patience) throw error;
			logger.error({ error, task, id: item.id }, "a sweep left out what failed");
		}
	}
}
