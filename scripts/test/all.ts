import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { printSummary } from "../programs/steps.ts";
import { root } from "../setup/paths.mjs";
import { postgresql } from "../setup/postgresql.mjs";
import { preparePrograms } from "../setup/programs.mjs";
import { capture, runToEnd } from "../setup/spawn.mjs";
import { programsFor } from "./needed-programs.mjs";
import { runsOnSystemPostgres } from "./on-postgres.ts";
import { partOf, testParts } from "./parts.ts";
import { inOneLine } from "./report.ts";
import { openMeter } from "./spent.ts";
import { startSystemPostgres } from "./system-postgres.ts";
import { findTestFiles } from "./test-files.mjs";
import { runTests } from "./test-run.ts";

type Result = {
	readonly passed: number;
	readonly failed: number;
	readonly failures: readonly string[];
	/** What each test file cost, where this machine can count it. */
	readonly costs?: Readonly<Record<string, number>>;
};
type Part = {
	readonly name: string;
	readonly about: string;
	/** The command of `scripts/run.mjs` and its arguments; undefined where vitest runs. */
	readonly command?: readonly string[];
	run(): Promise<Result>;
};
type Done = Result & { readonly seconds: number };
/** What came of each part of the last runs, and the state of the sources that they saw. */
type LastRun = { readonly state: string; readonly parts: { readonly [name: string]: Done } };

const recordFile = join(root, "node_modules/.reelmill/test-all.json");

/** More of what is random than a day's run has. */
const highCounts = {
	REELMILL_INTERLEAVINGS: "all",
	REELMILL_KILLED_STEPS: "1",
	REELMILL_BAD_INPUT_RUNS: "24",
	REELMILL_MUTANTS: "120",
	REELMILL_FULL_DISK: "all",
};

/** Runs vitest on the test files that match, the nightly ones as well. */
async function runMatching(filters: readonly string[], environment: NodeJS.ProcessEnv): Promise<Result> {
	await preparePrograms(programsFor(findTestFiles(filters), process.env));
	const meter = openMeter();
	try {
		const { passed, failed, failures } = await runTests(filters, {
			environment: { REELMILL_DATABASE_URL: undefined, REELMILL_TEST_RUN: "all", ...environment },
		});
		const costs = Object.fromEntries((await meter.read()) ?? []);
		return { passed, failed, failures: failures.map(inOneLine), costs };
	} finally {
		meter.close();
	}
}

const tests = (name: string, folders: readonly string[]): Part => ({
	name,
	about: `all tests of ${folders.join(", ")}`,
	run: () =>
		runMatching(
			folders.map((folder) => `${folder}/`),
			highCounts,
		),
});

const secondPostgresql: Part = {
	name: "second-postgresql",
	about: "what speaks to PostgreSQL, on the system's version",
	async run() {
		await preparePrograms([postgresql]);
		const server = await startSystemPostgres();
		try {
			return await runMatching(findTestFiles().filter(runsOnSystemPostgres), { REELMILL_DATABASE_URL: server.url });
		} finally {
			await server.stop();
		}
	},
};

const command = (name: string, about: string, ...args: string[]): Part => ({
	name,
	about,
	command: args,
	async run() {
		const code = await runToEnd(process.execPath, [join(root, "scripts/run.mjs"), ...args]);
		if (code === 0) return { passed: 1, failed: 0, failures: [] };
		return { passed: 0, failed: 1, failures: [`node scripts/run.mjs ${args.join(" ")} ended with exit code ${code}`] };
	},
});

/** No bound in time judges a machine that other programs keep busy. */
const patient = ["--patience", "4"];
const brief = ["--kills", "100", "--minutes", "10", ...patient];

/** The parts of `npm run test:all`, in their order: what is quick to fail comes first. */
export const parts: readonly Part[] = [
	command("checks", "the static checks, and the packed packages on Node 22, 24 and 26", "check", "--all"),
	...Object.entries(testParts).map(([name, { folders }]) => tests(name, folders)),
	secondPostgresql,
	command("docs", "the site of the documents, made and walked through", "docs", "--prove"),
	command("runtimes", "the packed packages on Node, Bun, Deno, Workers, Vercel Edge and Jest", "runtimes"),
	command("from-npm", "the packed server, started by npx from an empty cache", "from-npm"),
	command("ten-minutes", "the guide to private playback, followed for each framework", "ten-minutes"),
	command("upgrade", "the release before beside this one, under load", "upgrade"),
	command("fuzz", "twenty thousand generated requests", "fuzz", "--requests", "20000", ...patient),
	command("faults", "every kind of fault, for ten minutes at most", "faults", ...brief),
	command("bench", "each benchmark, in one round", "bench", "all", "1"),
	command("image", "the image, built and started", "image"),
	command("chart", "the Helm chart against the schemas of Kubernetes (needs Go)", "chart"),
	command("traefik", "the guide's files for Traefik, which is built (needs Go)", "traefik"),
];

type Options = { readonly names: readonly string[]; readonly again: boolean; readonly list: boolean };

/** @throws {Error} when an argument names no part */
export function parseAll(args: readonly string[]): Options {
	const { values, positionals } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: { again: { type: "boolean", default: false }, list: { type: "boolean", default: false } },
	});
	const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
	if (unknown.length > 0)
		throw new Error(`There is no part "${unknown[0]}": choose of ${parts.map(({ name }) => name).join(", ")}.`);
	return { names: positionals, ...values };
}

/** Resolves to whether all that ran passed. */
export async function proveAll({ names, again, list }: Options): Promise<boolean> {
	const state = await stateOfSources();
	const before = readRecord();
	tellLast(before, state);
	if (list) return true;
	let done = before.state === state ? before.parts : {};
	const chosen = parts.filter(({ name }) =>
		names.length > 0 ? names.includes(name) : again || !done[name] || done[name].failed > 0,
	);
	for (const part of chosen) {
		console.log(`\n=== ${part.name}: ${part.about}`);
		const started = performance.now();
		const result = await part
			.run()
			.catch((error: Error): Result => ({ passed: 0, failed: 1, failures: [error.message] }));
		done = { ...done, [part.name]: { ...result, seconds: (performance.now() - started) / 1000 } };
		writeRecord({ state, parts: done });
	}
	const shown = parts.flatMap(({ name }) => (done[name] ? [{ name, ...done[name] }] : []));
	printSummary(shown.map(({ name, failed, seconds }) => ({ name, passed: failed === 0, seconds })));
	const missing = parts.filter(({ name }) => !done[name]).map(({ name }) => name);
	if (missing.length > 0) console.log(`\nNot run on these sources: ${missing.join(", ")}.`);
	const sum = (key: "passed" | "failed") => shown.reduce((total, part) => total + part[key], 0);
	console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
	for (const { name, failures } of shown) for (const failure of failures) console.log(`  ${name}: ${failure}`);
	return shown.every(({ failed }) => failed === 0);
}

/** Prints each part, and what came of it the last time. */
function tellLast({ parts: last, state: lastState }: LastRun, state: string): void {
	console.log(lastState === state ? "The last run of these sources:" : "The last run, of other sources:");
	for (const { name, about } of parts) {
		const { failures = [], failed } = last[name] ?? {};
		const word = failed === undefined ? "not run" : failed === 0 ? "ok" : "FAILED";
		console.log(`  ${word.padEnd(8)} ${name.padEnd(20)}${about}`);
		for (const failure of failures) console.log(`           ${failure}`);
	}
}

/** Another text as soon as a file that git knows, or could know, has changed. */
async function stateOfSources(): Promise<string> {
	const hash = createHash("sha256");
	for (const args of [
		["rev-parse", "HEAD"],
		["diff", "HEAD"],
		["ls-files", "--others", "--exclude-standard"],
	])
		hash.update((await capture("git", ["-C", root, ...args])).output);
	return hash.digest("hex");
}

/** What the last runs of the parts found that test files cost. */
export const costsOfAll = (): [file: string, units: number][] =>
	Object.entries(readRecord().parts).flatMap(([name, { costs = {} }]) =>
		Object.entries(costs).filter(([file]) => partOf(file) === name),
	);

const readRecord = (): LastRun =>
	existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, "utf8")) : { state: "", parts: {} };

function writeRecord(record: LastRun): void {
	mkdirSync(dirname(recordFile), { recursive: true });
	writeFileSync(recordFile, `${JSON.stringify(record, null, "\t")}\n`);
}
