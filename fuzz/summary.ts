import { cpus, loadavg } from "node:os";
import type { Result } from "./campaign.ts";
import type { Group } from "./run/run-cases.ts";
import { quantile } from "./watch/health.ts";

/** 99 of 100 questions about the health must be answered within this time, on a machine without other work. */
const healthMilliseconds = 50;
/** How much memory a run may leave: bounded caches, and what the allocator doesn't give back. */
const heapMargin = 32 * 2 ** 20;
const residentMargin = 160 * 2 ** 20;
const mebi = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Returns what is wrong with the run as a whole, besides what single answers showed. */
export function verdicts({ health, before, after, errors, ended }: Result, patience = 1): string[] {
	const all: string[] = [];
	const mostMilliseconds = healthMilliseconds * patience;
	const p99 = quantile(health.answers, 0.99);
	if (p99 >= mostMilliseconds)
		all.push(
			[
				`/v1/health took ${p99.toFixed(1)} ms (p99); ${mostMilliseconds} ms are allowed`,
				`(the asking process itself was late by ${quantile(health.lateness, 0.99).toFixed(1)} ms)`,
			].join(" "),
		);
	if (health.failures > 0) all.push(`/v1/health was not answered with 200 ${health.failures} times`);
	if (ended !== null) all.push(`the server ended (${ended})`);
	const grown = after.heapBytes + after.externalBytes - before.heapBytes - before.externalBytes;
	if (grown > heapMargin)
		all.push(`${mebi(grown)} more are in use after the rest than before; ${mebi(heapMargin)} are allowed`);
	if (after.residentBytes - before.residentBytes > residentMargin)
		all.push(
			`resident memory grew by ${mebi(after.residentBytes - before.residentBytes)}; ${mebi(residentMargin)} are allowed`,
		);
	for (const [message, lines] of Map.groupBy(errors, (error) => error.message))
		all.push(`logged at level error ${lines.length} times: ${message}\n    ${lines[0]?.line.slice(0, 1500)}`);
	return all;
}

/** Returns what happened in a run, in numbers, as text that the guide can show. */
export function summarise(result: Result, { seed, requests }: { seed: number; requests: number }): string {
	const { counts, health, before, after, residents, seconds } = result;
	const rows = [...counts.operations];
	const admitted = rows.reduce((sum, [, row]) => sum + row.admitted, 0);
	const asked = rows.reduce((sum, [, row]) => sum + row.sent, 0);
	const never = rows
		.filter(([, { succeeded }]) => succeeded === 0)
		.map(([name, row]) => `${name} (${row.admitted} of ${row.sent} admitted)`);
	const least = rows.toSorted(([, a], [, b]) => a.admitted - b.admitted).slice(0, 5);
	const lines: readonly (readonly [string, string])[] = [
		[
			"seed",
			[
				`${seed}; ${counts.requests} of ${requests} requests in ${Math.round(seconds)} s`,
				`(${Math.round(counts.requests / seconds)} a second)`,
			].join(" "),
		],
		[
			"machine",
			`${cpus().length} processors, load ${loadavg()
				.map((load) => load.toFixed(1))
				.join(" ")}`,
		],
		[
			"statuses",
			[...counts.statuses]
				.sort(([a], [b]) => a - b)
				.map(([status, count]) => `${status || "none"} ${count}`)
				.join(", "),
		],
		[
			"admitted",
			[
				`${admitted} of ${asked} requests for an operation got past authentication and limits`,
				`fewest: ${least.map(([name, row]) => `${name} ${row.admitted}`).join(", ")}`,
			].join("; "),
		],
		["never 2xx or 3xx", never.length === 0 ? "none: every operation succeeded" : never.join(", ")],
		[
			"slowest",
			rows
				.toSorted(([, a], [, b]) => b.slowest - a.slowest)
				.slice(0, 6)
				.map(([name, row]) => `${name} ${Math.round(row.slowest)} ms`)
				.join(", "),
		],
		["not sendable", `${counts.notSent} that Node's client refuses to write`],
		[
			"health",
			[
				`p50 ${quantile(health.answers, 0.5).toFixed(1)} ms, p99 ${quantile(health.answers, 0.99).toFixed(1)} ms,`,
				`longest ${quantile(health.answers, 1).toFixed(0)} ms (of ${health.answers.length});`,
				`the asking process itself was late by ${quantile(health.lateness, 0.99).toFixed(1)} ms (p99)`,
			].join(" "),
		],
		[
			"memory in use",
			[
				`${mebi(before.heapBytes + before.externalBytes)} before,`,
				`${mebi(after.heapBytes + after.externalBytes)} after;`,
				`resident ${mebi(before.residentBytes)} before, ${mebi(after.residentBytes)} after,`,
				`on the way ${residents.map((bytes) => Math.round(bytes / 2 ** 20)).join(" ")}`,
			].join(" "),
		],
	];
	const width = Math.max(...lines.map(([name]) => name.length));
	return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

/** Returns the text for one kind of finding: how many, what shows it, and how to see it again. */
export function groupText({ rule, subject, count, examples, smallest }: Group, seed: number): string {
	const shown = smallest ?? examples[0];
	if (shown === undefined) return `${rule}: ${subject}`;
	const numbers = examples.map(({ number }) => number).join(", ");
	return [
		`${rule}: ${subject} (${count} times; cases ${numbers})`,
		`  ${shown.detail}`,
		`  sent      ${shown.sent}`,
		`  received  ${shown.received.replaceAll("\n", "\n            ")}`,
		`  again     node scripts/run.mjs fuzz --seed ${seed} --only ${shown.number}`,
	].join("\n");
}
