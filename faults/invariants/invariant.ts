import type { Entry } from "../history/entries.ts";
import type { FinalState } from "../world/observe/final-state.ts";

/** What a run is judged by. */
export type Run = {
	readonly history: readonly Entry[];
	readonly final: FinalState;
	readonly lockSeconds: number;
	readonly pendingUploadSeconds: number;
	/** The factor for the bounds in time: more than 1 only if other programs keep the machine busy. */
	readonly patience: number;
};

/** A broken promise, and the entries that show it. */
export type Breach = { readonly message: string; readonly shownBy: readonly unknown[] };

export type Invariant = {
	readonly name: string;
	/** The promise in the words of the guide. */
	readonly promise: string;
	check(run: Run): Breach[];
};

/** Groups the values of a list by a key. */
export const by = <T>(all: readonly T[], key: (each: T) => string): Map<string, T[]> => Map.groupBy(all, key);
