import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { budgets, partOf, testParts, workBudgets } from "./parts.ts";
import { filesOf, readCosts } from "./runs.mjs";
import { findTestFiles } from "./test-files.mjs";

/** A test of `npm test` that costs more holds a promise of the README's table. */
const mostWithoutPromise = 10;
const measure = "node scripts/run.mjs measure-tests";

/** Proves that the tests keep to their budgets by the table of what each costs, whatever machine this is. */
export async function proveCosts(): Promise<void> {
	const wrong = wrongCosts({ files: findTestFiles(), costs: readCosts(), promised: readPromised() });
	if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

/** The tests and folders of tests that the README's table of promises names. */
export function readPromised(readme = readFileSync(join(root, "README.md"), "utf8")): string[] {
	const table = readme.split("| Promise | Kept by | Shown by |")[1]?.split("\n\n")[0] ?? "";
	const shownBy = table.split("\n").map((row) => row.split(" | ").at(-1) ?? "");
	return shownBy.flatMap((cell) => [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path));
}

type Table = {
	readonly files: readonly string[];
	readonly costs: Readonly<Record<string, number>>;
	readonly promised: readonly string[];
};

/** Returns what is wrong with the table of costs, or with the budgets, a sentence each. */
export function wrongCosts({ files, costs, promised }: Table): string[] {
	const daily = filesOf("daily", files, costs);
	const holds = (file: string) =>
		promised.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`));
	/** Costs have one decimal; so has their sum, which is no hair above it. */
	const sum = (some: readonly string[]) =>
		Math.round(10 * some.reduce((total, file) => total + (costs[file] ?? 0), 0)) / 10;
	const over = (what: string, cost: number, budget: number) =>
		cost > budget
			? [`${what} cost ${cost.toFixed(0)} s of CPU, and may cost ${budget}: make one of them cheaper.`]
			: [];
	const inParts = Object.entries(testParts).flatMap(([name, { budget }]) =>
		over(`The tests of ${name}`, sum(daily.filter((file) => partOf(file) === name)), budget),
	);
	const shares = [...Object.values(workBudgets), ...Object.values(testParts).map(({ budget }) => budget)];
	const total = shares.reduce((all, budget) => all + budget, 0);
	return [
		...daily.filter((file) => costs[file] === undefined).map((file) => `${file} has no cost: run ${measure}.`),
		...Object.keys(costs)
			.filter((file) => !files.includes(file))
			.map((file) => `${file} is gone, and stands in scripts/test/costs.json: run ${measure}.`),
		...files.filter((file) => !partOf(file)).map((file) => `${file} is in no part: add its folder to parts.ts.`),
		...daily
			.filter((file) => (costs[file] ?? 0) > mostWithoutPromise && !holds(file))
			.map(
				(file) =>
					`${file} costs ${costs[file]} s of CPU, and no promise of the README names it: make it cheaper, or name it *.nightly.test.ts.`,
			),
		...promised
			.filter((path) => !daily.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`)))
			.map((path) => `The README says that ${path} shows a promise, and npm test runs no such test.`),
		...inParts,
		...over("The tests of npm run test:fast", sum(filesOf("fast", files, costs)), budgets.fast),
		...(total > budgets.daily ? [`The budgets of parts.ts add up to ${total} s, over ${budgets.daily}.`] : []),
	];
}

/** Returns the table of costs with what was measured of a run, in the same units. */
export function withMeasured(measured: readonly (readonly [string, number])[]): Record<string, number> {
	const files = new Set(findTestFiles());
	const rows = [...Object.entries(readCosts()), ...measured.map(([file, units]) => [file, rounded(units)] as const)];
	return Object.fromEntries(
		[...new Map(rows)].filter(([file]) => files.has(file)).sort(([a], [b]) => (a < b ? -1 : 1)),
	);
}

const rounded = (units: number): number => Math.round(units * 10) / 10;
