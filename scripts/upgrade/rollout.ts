import { setTimeout as sleep } from "node:timers/promises";
import { type LoadOptions, type Outcome, underLoad } from "./under-load.ts";

export type RolloutOptions = LoadOptions & {
	/** The programs of both releases. */
	readonly before: string;
	readonly after: string;
};

/**
 * Goes through an upgrade and back again, under load, on one database and data directory: the release before alone, the
 * new one beside it, the new one alone, the release before beside it again. Returns what went wrong.
 */
export function rollOut(options: RolloutOptions): Promise<Outcome> {
	return underLoad(options.before, options, async ({ first, start, stop, serve, stage }) => {
		await stage("the release before alone");
		const after = await start("after", options.after);
		serve([first, after]);
		await stage("both");
		// As behind a load balancer: a moment before a server stops, nothing new is sent to it any more.
		serve([after]);
		await sleep(1000);
		await stop(first);
		await stage("the new one alone");
		serve([await start("before", options.before), after]);
		await stage("both, after the way back");
	});
}
