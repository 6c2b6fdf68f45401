import { postgresql } from "../setup/postgresql.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { isLongTest } from "./long.mjs";
import { programsFor } from "./needed-programs.mjs";
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
 * Returns the programs that `npm test` needs: those of the tests that match, or of everything if there are no
 * arguments.
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly string[]} args
 * @returns {Program[]}
 * @throws {SetupError} when no test matches
 */
export function programsOfTests(environment, args) {
	const filters = filtersOf(args);
	const files = findTestFiles(filters);
	if (files.length === 0 && filters.length > 0)
		throw new SetupError(`No test file's path contains ${filters.join(" or ")}: see npm test -- --help.`);
	const programs = programsFor(files, environment);
	return args.length > 0 || programs.includes(postgresql) ? programs : [...programs, postgresql];
}

/**
 * Returns the programs that `npm run test:fast` needs.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Program[]}
 */
export const programsOfFastTests = (environment) =>
	programsFor(
		findTestFiles().filter((file) => !isLongTest(file)),
		environment,
	);

export const testHelp = `Usage: npm test [-- FILTER... OPTION...]

Without arguments it proves everything, as CI does: the static checks, the builds, the packed packages, and all tests,
those that speak to PostgreSQL on two versions of it.

With arguments it runs vitest on the test files whose path contains a FILTER, and installs only the programs that these
tests need. An OPTION is one of vitest's.

  npm test -- engine/test/jobs                        the test files whose path contains this
  npm test -- packages/http -t "answers 404"          of a package, the tests whose name contains this
  npm test -- --project=long                          the long tests that need no server
  npm test -- packages/client --watch                 again after each change

The projects are plain, database and storage (none, PostgreSQL, S3), and with long tests long, long-database and
long-storage. npm run test:fast leaves the long ones out.
`;

export const fastHelp = `Usage: npm run test:fast [-- OPTION...]

Runs all tests but the long ones (media, random histories, stores that break, servers that are killed), which
scripts/test/long.mjs lists. An OPTION is one of vitest's.
`;
