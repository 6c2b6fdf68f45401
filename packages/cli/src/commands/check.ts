import { type Command, Option } from "commander";
import { createCheckRun, type Told } from "../check-run.ts";
import { OutcomeError } from "../failure.ts";
import { wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { createProgressBar } from "../progress-bar.ts";
import { sessionOf } from "../session.ts";
import { bytes } from "../text.ts";

type Options = {
	repair?: boolean;
	adopt?: boolean;
	removeOrphans?: boolean;
	removeUnknownDomains?: boolean;
	young?: boolean;
	deep?: boolean;
	mostLosses: number;
	resume?: string;
};

const notes = `
Without an option that says so, nothing is changed. The check passes over what was written within the last hour, what workers are at, and what is to be
deleted. It can run while servers do, in steps of a few seconds.

Exit codes: 0 nothing differs, or all was put right; 1 differences are left, or the check failed; 2 the command line is wrong.`;

export function addCheck(parent: Command, io: Io): void {
	parent
		.command("check")
		.description("compare the database with storage, in both directions")
		.option("--repair", "mark what can't be played or encoded as failed, and put counters and public copies right")
		.option("--adopt", "make videos available whose outputs are stored completely")
		.option("--remove-orphans", "delete stored files that nothing needs")
		.option(
			"--remove-unknown-domains",
			"delete outputs of domains that the database doesn't know; in a shared bucket they may be another installation's",
		)
		.option("--young", "look at what was written within the last hour, too: only if no server runs")
		.option("--deep", "read every output, too, and compare its bytes with the sum that is kept of them")
		.addOption(
			new Option("--most-losses <count>", "repair nothing if it would mark more than this many as failed")
				.argParser(wholeNumber(0))
				.default(100),
		)
		.option("--resume <file>", "keep in this file how far the check has come, and continue from there")
		.addHelpText("after", notes)
		.action(async (options: Options, command: Command) => {
			const session = sessionOf(io, command);
			const bar = createProgressBar(io.stderr);
			const told: Told = {
				repair: options.repair ?? false,
				adopt: options.adopt ?? false,
				remove_orphans: options.removeOrphans ?? false,
				remove_unknown_domains: options.removeUnknownDomains ?? false,
			};
			const run = createCheckRun(session.admin(), {
				told,
				young: options.young ?? false,
				deep: options.deep ?? false,
				mostLosses: options.mostLosses,
				file: options.resume,
				signal: io.signal,
				onProgress: (title, percent) => (session.json ? undefined : bar.percent(title, percent)),
				onDifference(found) {
					bar.clear();
					session.stream(
						found,
						({ kind, place, reference, message, mended }) =>
							`${kind}  ${place}  ${reference}  ${message}${mended ? "  Put right." : ""}`,
					);
				},
				onOutage(message) {
					bar.clear();
					session.note(message);
				},
			});
			const {
				found,
				left,
				rows,
				objects,
				bytes: readBytes,
				withoutSums,
				young,
				lookAgainAt,
			} = await run().finally(() => bar.clear());
			const read = options.deep ? `, and ${bytes(readBytes)} read` : "";
			session.note(
				`${rows} rows and ${objects} objects looked at${read}: ${found === 0 ? "nothing differs" : `${found} differences, ${found - left} put right`}.`,
			);
			if (young > 0)
				session.note(
					`${young} skipped, written too recently to be judged. Repeat the check after ${lookAgainAt}, or say --young if no server runs.`,
				);
			if (withoutSums > 0)
				session.note(
					`${withoutSums} videos and outros have files without a sum, whose bytes were not compared: an earlier version stored them.`,
				);
			if (left > 0)
				throw new OutcomeError("differences_left", `${left} ${left === 1 ? "difference is" : "differences are"} left.`);
		});
}
