import { parseArgs } from "node:util";

export const usage = `Usage: node scripts/run.mjs fuzz [--requests <number>] [--seed <number>] [--only <number>] [--concurrency <number>] [--patience <number>] [--keep]

Starts a reference server, sends it generated requests on every plane (right ones, nearly right ones and noise), and checks each answer against the contract.
The guide docs/guides/fuzz.md says what is sent and what is checked.

  --requests <number>     ends after so many requests (default: 100000)
  --seed <number>         decides what is sent (default: a new one, which is printed)
  --only <number>         sends only the case with this number, and prints its requests and answers
  --concurrency <number>  how many cases run at the same time (default: 8)
  --patience <number>     the factor for every bound in time (default: 1); use more if other programs keep the machine busy
  --keep                  keeps the server's log and data even if nothing was found
  --help                  prints this`;

export type Options = {
	readonly requests: number;
	readonly seed: number;
	readonly only: number | undefined;
	readonly concurrency: number;
	readonly patience: number;
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
			requests: text,
			seed: text,
			only: text,
			concurrency: text,
			patience: text,
			keep: { type: "boolean", default: false },
			help: { type: "boolean", short: "h" },
		},
	});
	if (values.help) return null;
	const number = <T>(name: "requests" | "seed" | "only" | "concurrency" | "patience", otherwise: T): number | T => {
		const given = values[name];
		if (given === undefined) return otherwise;
		if (!/^\d{1,10}$/.test(given)) throw new Error(`--${name} must be a number, not ${given}.`);
		return Number(given);
	};
	return {
		requests: number("requests", 100_000),
		seed: number("seed", newSeed()),
		only: number("only", undefined),
		concurrency: Math.max(1, number("concurrency", 8)),
		patience: Math.max(1, number("patience", 1)),
		keep: values.keep,
	};
}
