import pMap from "p-map";

/** Calls `work` for each item, two at a time. Rejects after all have ended, with the messages of all that failed. */
export const twoAtATime = <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<unknown> =>
	pMap(items, work, { concurrency: 2, stopOnError: false }).catch(({ errors }: AggregateError) => {
		throw new Error(errors.map((error) => (error instanceof Error ? error.message : String(error))).join("\n\n"));
	});
