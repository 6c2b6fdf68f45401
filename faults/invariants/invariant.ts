import type { Entry } from "../history/entries.ts";
import type { FinalState } from "../world/observe/final-state.ts";

/** What a run is judged by. */
export type Run = {
	readonly history: readonly Entry[];
	readonly final: FinalState;
	readonly lockSeconds: number;
	readonly pendingUploadSeconds: number;
	/** The bounds in time are so many times as long: more than 1 only where other programs keep the machine busy. */
	readonly patience: number;
};

/** A promise that wasn't kept, and what shows it. */
export type Breach = { readonly message: string; readonly shownBy: readonly unknown[] };

export type Invariant = {
	readonly name: string;
	/** In the words of the guide. */
	readonly promise: string;
	check(run: Run): Breach[];
};

/** The values of a list by a key. */
export const by = <T>(all: readonly T[], key: (each: T) => string): Map<string, T[]> => Map.groupBy(all, key);
