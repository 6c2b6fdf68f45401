import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../setup/paths.mjs";
import { programsFor } from "./needed-programs.mjs";

/**
 * The runs of the tests, each one a part of the next: `npm run test:fast`, `npm test`, `npm run test:all`.
 * @typedef {"fast" | "daily" | "all"} Run
 */

export const costsFile = join(root, "scripts/test/costs.json");
/** The most that a test of `npm run test:fast` costs, in seconds of CPU as costs.json has them. */
const mostOfFast = 2;

/**
 * The seconds of CPU that each test file costs, as `node scripts/run.mjs measure-tests` found them.
 * @returns {Record<string, number>}
 */
export const readCosts = () => JSON.parse(readFileSync(costsFile, "utf8"));

/**
 * Whether `npm test` leaves a test to `npm run test:all`. Its name says so.
 * @param {string} file
 */
export const isNightly = (file) => basename(file).includes(".nightly.");

/**
 * Returns the test files of a run. The fast one has what needs no program but Node and PostgreSQL, and costs little.
 * @param {Run} run
 * @param {readonly string[]} files paths from the root
 * @param {Record<string, number>} costs
 * @returns {string[]}
 */
export function filesOf(run, files, costs = readCosts()) {
	if (run === "all") return [...files];
	const daily = files.filter((file) => !isNightly(file));
	if (run === "daily") return daily;
	return daily.filter((file) => (costs[file] ?? 0) <= mostOfFast && programsFor([file], {}).length === 0);
}
