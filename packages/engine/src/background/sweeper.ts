import type { Parts } from "../system/index.ts";

/** What a noun has to do from time to time, by name. Many servers may do a chore at once, each as often as it likes. */
export type Chores = { readonly [name: string]: () => Promise<unknown> };

export type Sweeper = {
	/** Does each chore once, in order. A chore that fails is logged and doesn't stop the others. It never rejects. */
	sweep(): Promise<void>;
};

/** Does what only time brings about. No chore asks a bucket, so that a silent bucket can't delay the others. */
export function createSweeper({ logger }: Parts, { chores }: { chores: Chores }): Sweeper {
	return {
		async sweep() {
			for (const [task, run] of Object.entries(chores)) {
				await run().catch((error: unknown) => logger.error({ error, task }, "a sweep could not be finished"));
			}
		},
	};
}
