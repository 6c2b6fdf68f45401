import type { Case } from "../generate/case.ts";
import type { Cases } from "../generate/cases.ts";
import type { Found } from "../judge/finding.ts";
import type { Counts } from "../watch/counts.ts";
import type { Ground } from "./ground.ts";
import { runCase } from "./run-case.ts";

/** All findings of one kind: how many, the first few, and the smallest case that shows it if one was searched for. */
export type Group = {
	readonly rule: string;
	readonly subject: string;
	count: number;
	readonly examples: Found[];
	smallest: Found | null;
};

export type RunCasesOptions = {
	readonly ground: Ground;
	readonly cases: Cases;
	readonly requests: number;
	readonly concurrency: number;
	readonly counts: Counts;
	/** The number of the first case (default: 0). */
	readonly first?: number;
	/** Returns true to end early. */
	readonly isOver?: () => boolean;
	readonly onProgress?: (requests: number) => void;
};

const mostExamples = 3;
const keyOf = ({ rule, subject }: { rule: string; subject: string }): string => `${rule}\n${subject}`;

/**
 * Runs cases in the order of their numbers, several at a time, until so many requests were sent. Returns the findings
 * by kind.
 */
export async function runCases({
	ground,
	cases,
	requests,
	concurrency,
	counts,
	first = 0,
	isOver = () => false,
	onProgress,
}: RunCasesOptions): Promise<{ groups: Group[]; next: number }> {
	const groups = new Map<string, Group>();
	const until = counts.requests + requests;
	let next = first;
	const worker = async (): Promise<void> => {
		while (counts.requests < until && !isOver()) {
			const number = next++;
			for (const found of await runCase(ground, number, cases.at(number), counts)) put(groups, found);
			if (number % 1000 === 999) onProgress?.(counts.requests);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return { groups: [...groups.values()], next };
}

function put(groups: Map<string, Group>, found: Found): void {
	const group: Group = groups.get(keyOf(found)) ?? {
		rule: found.rule,
		subject: found.subject,
		count: 0,
		examples: [],
		smallest: null,
	};
	groups.set(keyOf(found), group);
	group.count++;
	if (group.examples.length < mostExamples) group.examples.push(found);
}

/**
 * Searches for a smaller case with the same finding, for so long. A finding that doesn't appear again keeps its case.
 */
export async function shrink(ground: Ground, cases: Cases, group: Group, milliseconds: number): Promise<void> {
	const [example] = group.examples;
	if (example === undefined || example.one.steps.length > 1) return;
	let found: Found | undefined;
	const fails = async (one: Case): Promise<boolean> => {
		const again = (await runCase(ground, example.number, one)).find((each) => keyOf(each) === keyOf(group));
		if (again !== undefined) found = again;
		return again !== undefined;
	};
	await cases.smallest(example.number, fails, milliseconds);
	group.smallest = found ?? null;
}
