import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The wall clock of one machine, which a process with `processes/wrong-clock.ts` goes by. */
export type MachineClock = {
	/** What the process's environment must have. */
	readonly environment: { readonly FAULTS_CLOCK_FILE: string };
	/** Within 50 ms of this the clock is ahead by so many seconds, or behind. */
	step(seconds: number): void;
};

export function openClock(directory: string, name: string): MachineClock {
	const path = join(directory, `clock-${name.replaceAll(" ", "-")}`);
	const clock: MachineClock = {
		environment: { FAULTS_CLOCK_FILE: path },
		step(seconds) {
			writeFileSync(`${path}.new`, String(seconds));
			renameSync(`${path}.new`, path);
		},
	};
	clock.step(0);
	return clock;
}
