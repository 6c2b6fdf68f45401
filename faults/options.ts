import { parseArgs } from "node:util";
import { type FaultKind, faultKinds } from "./plan/catalogue.ts";

export const usage = `Usage: node scripts/run.mjs faults [--seed <number>] [--kills <number>] [--minutes <number>] [--each <number>] [--only <kind>[,<kind>]] [--patience <number>] [--beside <program>] [--keep]

Runs the service, breaks it in every way that the guide docs/guides/faults.md lists, and checks that nothing is lost or doubled and that nobody waits in vain.

  --seed <number>      decides what is broken, and when (default: a new one, which is printed)
  --kills <number>     ends after so many processes were killed (default: 1000)
  --minutes <number>   ends after so many minutes, however many processes were killed (default: 60)
  --each <number>      goes on until each kind of fault was done so many times (default: 1), or fails after --minutes
  --only <kinds>       does only these kinds, separated by commas; ends by --each and --minutes
  --patience <number>  the factor for every bound in time (default: 1); use more if other programs keep the machine busy
  --beside <program>   the server that stands in when one is replaced, of another release (default: the same sources)
  --keep               keeps the history, the programs' logs and all data even if no promise was broken
  --help               prints this

The kinds of faults: ${faultKinds.join(", ")}.`;

export type Options = {
	readonly seed: number;
	readonly kills: number;
	readonly minutes: number;
	readonly each: number;
	/** Undefined means all kinds. */
	readonly only: readonly FaultKind[] | undefined;
	readonly patience: number;
	readonly beside: string | undefined;
	readonly keep: boolean;
};

/**
 * Returns what the command line asks for; null if it asks for --help.
 *
 * @throws {Error} when an argument can't be understood; the message is a sentence for the user.
 */
export function parseOptions(args: readonly string[], newSeed: () => number): Options | null {
	const text = { type: "string" } as const;
	const { values } = parseArgs({
		args: [...args],
		options: {
			seed: text,
			kills: text,
			minutes: text,
			each: text,
			only: text,
			patience: text,
			beside: text,
			keep: { type: "boolean", default: false },
			help: { type: "boolean", short: "h" },
		},
	});
	if (values.help) return null;
	const number = (name: "seed" | "kills" | "minutes" | "each" | "patience", otherwise: number): number => {
		const given = values[name];
		if (given === undefined) return otherwise;
		if (!/^\d+(\.\d+)?$/.test(given)) throw new Error(`--${name} must be a number, not ${given}.`);
		return Number(given);
	};
	const only = values.only?.split(",").map((name) => {
		const kind = faultKinds.find((each) => each === name.trim());
		if (kind === undefined) throw new Error(`--only must name kinds of faults; ${name.trim()} is none.`);
		return kind;
	});
	return {
		seed: number("seed", newSeed()),
		kills: number("kills", only === undefined ? 1000 : 0),
		minutes: number("minutes", 60),
		each: number("each", 1),
		only,
		patience: number("patience", 1),
		beside: values.beside,
		keep: values.keep,
	};
}
