import { SetupError } from "../setup/setup-error.mjs";
import { programsFor } from "./needed-programs.mjs";
import { filesOf } from "./runs.mjs";
import { findTestFiles } from "./test-files.mjs";

/** @typedef {import("../setup/programs.mjs").Program} Program */

/** The options of vitest that people write with their value behind a space. */
const optionsWithValue = new Set(["-t", "--testNamePattern", "--project"]);

/**
 * Returns the filters among the arguments of `npm test`: all that is neither an option of vitest nor an option's value.
 * @param {readonly string[]} args
 */
const filtersOf = (args) =>
	args.filter((argument, index) => !argument.startsWith("-") && !optionsWithValue.has(args[index - 1] ?? ""));

/**
 * Returns the programs that `npm test` needs: those of the tests that match, or of the whole run if there are no
 * arguments.
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly string[]} args
 * @returns {Program[]}
 * @throws {SetupError} when no test matches
 */
export function programsOfTests(environment, args) {
	if (args.length === 0) return programsFor(filesOf("daily", findTestFiles()), environment);
	const filters = filtersOf(args);
	const files = findTestFiles(filters);
	if (files.length === 0 && filters.length > 0)
		throw new SetupError(`No test file's path contains ${filters.join(" or ")}: see npm test -- --help.`);
	return programsFor(files, environment);
}

export const testHelp = `Usage: npm test [-- FILTER... OPTION...]

Without arguments it proves what every change must keep, as CI does: the static checks, the packed packages, and all
tests but those of npm run test:all alone (*.nightly.test.ts).

With arguments it runs vitest on the test files whose path contains a FILTER, the nightly ones as well, and installs
only the programs that these tests need. An OPTION is one of vitest's.

  npm test -- engine/test/jobs                        the test files whose path contains this
  npm test -- packages/http -t "answers 404"          of a package, the tests whose name contains this
  npm test -- packages/client --watch                 again after each change
`;

export const fastHelp = `Usage: npm run test:fast [-- OPTION...]

Runs the tests that need no program but Node and PostgreSQL, which comes from npm, and that cost at most two seconds of
CPU each. An OPTION is one of vitest's.
`;

export const allHelp = `Usage: npm run test:all [-- PART... --again]

Proves everything, part by part, and says at the end what failed. A part that passed on these very sources isn't run
again, so a run that was broken off goes on where it stopped. A run that names parts runs these.

  npm run test:all -- media             the parts of that name
  npm run test:all -- --again           also what passed
  npm run test:all -- --list            names the parts, and what came of each the last time
`;
