import { cpus, loadavg } from "node:os";
import { entriesOf } from "./history/history.ts";
import type { Verdict } from "./invariants/index.ts";
import type { Run } from "./invariants/invariant.ts";
import { medianOf, recoveries } from "./invariants/recovery.ts";
import { takeovers } from "./invariants/waiting.ts";

/** Returns what happened in a run, in numbers, as text that the guide can show. */
export function summarise(
	{ history, final, lockSeconds, patience }: Omit<Run, "pendingUploadSeconds">,
	verdicts: readonly Verdict[],
	{ seed, seconds }: { seed: number; seconds: number },
): string {
	const count = <T>(all: readonly T[], key: (each: T) => string): string =>
		[...Map.groupBy(all, key)]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([name, each]) => `${name} ${each.length}`)
			.join(", ");
	const killed = entriesOf(history, "killed");
	const requests = entriesOf(history, "request");
	const answered = requests.filter(({ outcome }) => typeof outcome === "number");
	const received = entriesOf(history, "received");
	const serving = entriesOf(history, "serving-again").map(({ milliseconds }) => milliseconds);
	const taken = takeovers({ history, final }).map(({ milliseconds }) => milliseconds);
	const bytes = entriesOf(history, "initiated").reduce((sum, { size }) => sum + size, 0);
	const rows: readonly (readonly [string, string])[] = [
		["seed", String(seed)],
		[
			"time",
			`${Math.round(seconds)} s; ${cpus().length} processors, load ${loadavg()
				.map((load) => load.toFixed(1))
				.join(" ")}; patience ${patience}`,
		],
		["killed", `${killed.length}: ${count(killed, ({ what }) => what)}`],
		[
			"faults",
			count(
				entriesOf(history, "fault").filter(({ done }) => done),
				({ fault }) => fault.kind,
			),
		],
		[
			"uploads",
			[
				`${entriesOf(history, "initiated").length} initiated (${(bytes / 2 ** 20).toFixed(0)} MiB)`,
				`${new Set(entriesOf(history, "finished").map(({ video }) => video)).size} acknowledged whole`,
				`${entriesOf(history, "acknowledged").length} offsets acknowledged`,
			].join(", "),
		],
		[
			"videos",
			count(final.videos, ({ state, failureReason }) => (failureReason ? `${state} (${failureReason})` : state)),
		],
		[
			"attempts",
			[
				`${final.claims.length}: ${entriesOf(history, "completed").length} completed`,
				count(entriesOf(history, "dropped"), ({ code }) => `dropped by ${code}`),
			].join(", "),
		],
		[
			"webhooks",
			`${final.deliveries.length} events, sent ${received.length} times; ${count(received, ({ answer }) => answer)}`,
		],
		["edits", `${entriesOf(history, "edits").length} sent, ${entriesOf(history, "edited").length} answered`],
		[
			"clips",
			`${entriesOf(history, "cuts").length} asked for, ${entriesOf(history, "read-clip").length} looked at; posters: ${final.posters.length} made or tried`,
		],
		[
			"imports",
			`${count(final.imports, ({ status, failure }) => failure ?? status)}; the origin: ${count(entriesOf(history, "origin"), ({ manner }) => manner)}`,
		],
		["files read", String(entriesOf(history, "served").length)],
		["requests", `${requests.length}; ${spread(answered.map(({ milliseconds }) => milliseconds))} of those answered`],
		["serving again", `${spread(serving)} after the database's return`],
		["dead workers", `${spread(taken)} until their job was free (the lock lasts ${lockSeconds} s)`],
		[
			"sessions",
			`${Math.max(0, ...entriesOf(history, "sessions").map(({ count }) => count))} connections to the database at most`,
		],
		["power cuts", cutsText(entriesOf(history, "cut-power"))],
		["lies", count(entriesOf(history, "lied"), ({ how, told }) => `${how}: ${told}`)],
		["wrong keys", count(entriesOf(history, "wrong-key"), ({ accepted }) => (accepted ? "accepted" : "refused"))],
		...recoveries({ history }).map(
			({ kind, milliseconds, disturbed }) => [`after ${kind}`, recoveryText(milliseconds, disturbed)] as const,
		),
		...verdicts.map(
			({ invariant, breaches }) =>
				[invariant.name, breaches.length === 0 ? "holds" : `BROKEN ${breaches.length} times`] as const,
		),
	];
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

function cutsText(
	cuts: readonly {
		readonly uploads: number;
		readonly bytes: number;
		readonly outputs: number;
		readonly lost: readonly unknown[];
	}[],
): string {
	const sum = (amount: (cut: (typeof cuts)[number]) => number): number =>
		cuts.reduce((total, cut) => total + amount(cut), 0);
	const uploads = `${sum((cut) => cut.uploads)} uploads (${sum(({ bytes }) => bytes)} acknowledged bytes)`;
	const outputs = `${sum((cut) => cut.outputs)} outputs`;
	const missing = sum(({ lost }) => lost.length);
	return `${cuts.length}: ${uploads} and ${outputs} looked for in copies, ${missing} missing`;
}

/** The time from the end of a fault until the service worked again. */
function recoveryText(sorted: readonly number[], disturbed: number): string {
	const left = disturbed === 0 ? "" : `; ${disturbed} more while something else was broken`;
	return sorted.length === 0
		? `not measured${left}`
		: `median ${Math.round(medianOf(sorted))} ms, worst ${Math.round(sorted.at(-1) ?? 0)} ms (of ${sorted.length}${left})`;
}

/** The median, the 99th percentile and the longest. */
function spread(all: readonly number[]): string {
	const sorted = [...all].sort((a, b) => a - b);
	const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
	return `median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms (of ${all.length})`;
}

/** Returns the promise, the seed, and the entries that show that it was broken. */
export function breachText({ invariant, breaches }: Verdict, seed: number): string {
	const shown = breaches.slice(0, 3).map(
		({ message, shownBy }) =>
			`  ${message}\n${shownBy
				.slice(0, 25)
				.map((each) => `    ${JSON.stringify(each)}`)
				.join("\n")}`,
	);
	return `${invariant.name} is broken (seed ${seed}): ${invariant.promise}\n${shown.join("\n")}`;
}
