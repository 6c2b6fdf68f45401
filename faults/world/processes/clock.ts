import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The wall clock of one machine, for a process with `processes/wrong-clock.ts`. */
export type MachineClock = {
	/** What the process's environment must contain. */
	readonly environment: { readonly FAULTS_CLOCK_FILE: string };
	/** Sets the clock ahead by so many seconds, or behind; the process sees it within 50 ms. */
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
