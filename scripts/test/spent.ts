import { type CpuGroups, cpuBefore, openCpuGroups, timeUnit } from "./cpu.ts";
import { budgets, partOf, testParts, workBudgets } from "./parts.ts";

/** What a run spent so far. */
export type Meter = {
	/** Each group's seconds of CPU, in units of {@link timeUnit}; undefined where this machine can't count them. */
	read(): Promise<Map<string, number> | undefined>;
	close(): void;
};

/** Measures what this process starts from now on. */
export function openMeter(): Meter {
	const groups = openCpuGroups();
	const units = groups ? [timeUnit(), timeUnit()] : [];
	return {
		async read() {
			if (!groups) return undefined;
			units.push(timeUnit(), timeUnit());
			const unit = median(units);
			return new Map([...withSetUp(groups)].map(([name, seconds]) => [name, seconds / unit]));
		},
		close: () => groups?.close(),
	};
}

const median = (numbers: readonly number[]): number => {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
};

const withSetUp = (groups: CpuGroups): Map<string, number> => groups.read().set("set-up", cpuBefore() ?? 0);

/** What no test file is blamed for, and no server. */
const rest = "vitest";

/** Adds the costs of test files up to the parts that they belong to. */
function byPart(spent: ReadonlyMap<string, number>): Map<string, number> {
	const parts = new Map<string, number>();
	for (const [name, units] of spent) {
		const part = name in workBudgets ? name : (partOf(name) ?? rest);
		parts.set(part, (parts.get(part) ?? 0) + units);
	}
	return parts;
}

const mostShown = 10;

/** Prints what each part of `npm test` spent, beside its budget, and the test files that spent most. */
export function printSpent(spent: ReadonlyMap<string, number> | undefined, { total = budgets.daily } = {}): void {
	if (!spent) {
		console.log("\nCPU: not measured, for it needs Linux, and root (control groups of version 2 that it may make).");
		return;
	}
	const budgetOf = (part: string) => workBudgets[part] ?? testParts[part]?.budget ?? 0;
	console.log("\nSeconds of CPU, in units of a loop that was timed in this run, and the budget of npm test");
	for (const [part, units] of byPart(spent)) console.log(row(part, units, budgetOf(part)));
	console.log(row("all", sum(spent.values()), total));
	const files = [...spent].filter(([name]) => partOf(name)).sort(([, a], [, b]) => b - a);
	console.log("\nThe test files that cost most");
	for (const [file, units] of files.slice(0, mostShown)) console.log(`  ${units.toFixed(1).padStart(7)}  ${file}`);
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
const row = (name: string, units: number, budget: number): string =>
	`  ${units.toFixed(1).padStart(7)} ${String(budget).padStart(6)}  ${name}`;
