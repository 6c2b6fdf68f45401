import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { heading, type Outcome, printSummary, runSteps } from "../programs/steps.ts";
import { inOneLine, printFailures } from "./report.ts";
import { openMeter, printSpent } from "./spent.ts";
import { runTests, type TestRun } from "./test-run.ts";

/**
 * Proves what every change must keep, as CI does: the tests of `npm test`, and beside them the static checks and the
 * packed packages. Resolves to whether all of it holds. What failed stands at the end of what is printed, where whoever
 * looks at a log begins, and its names last of all, where only an end is kept.
 */
export async function proveDaily(): Promise<boolean> {
	const meter = openMeter();
	const beside = runBeside("../checks/beside-tests.ts");
	let run: TestRun = { passed: 0, failed: 0, failures: [] };
	let broken = "";
	const tests = await runSteps([
		{
			name: "tests",
			async run() {
				run = await runTests([], {
					environment: { REELMILL_DATABASE_URL: undefined, REELMILL_TEST_RUN: "daily" },
				}).catch((error: Error) => {
					broken = error.message;
					throw error;
				});
				if (run.failures.length > 0) throw new Error(`${run.failures.length} tests failed.`);
			},
		},
	]);
	const checks = await beside;
	const outcomes = [...checks.outcomes, ...tests];
	const failed = (section: string) => outcomes.some(({ name, passed }) => !passed && section.startsWith(`${name}\n`));
	const sections = checks.output.split(`\n${heading}`);
	for (const section of sections.filter((section) => !failed(section))) console.log(section);
	printSpent(await meter.read());
	meter.close();
	printFailures("Failed", run.failures);
	for (const section of sections.filter(failed)) console.log(`\nFailed: ${section}`);
	printSummary(outcomes);
	console.log(`\n${broken || `${run.passed} passed, ${run.failed} failed`}`);
	for (const failure of run.failures) console.log(`  ${inOneLine(failure)}`);
	return outcomes.every(({ passed }) => passed);
}

/** Runs steps in a process of their own, and resolves to what came of each, with all that they printed. */
async function runBeside(script: string): Promise<{ readonly outcomes: readonly Outcome[]; readonly output: string }> {
	const child = fork(join(import.meta.dirname, script), { stdio: ["ignore", "pipe", "pipe", "ipc"] });
	let output = "";
	let outcomes: readonly Outcome[] | undefined;
	child.stdout?.on("data", (bytes) => (output += bytes));
	child.stderr?.on("data", (bytes) => (output += bytes));
	child.once("message", (message) => (outcomes = message as readonly Outcome[]));
	const stop = () => child.kill();
	process.once("exit", stop);
	const [code] = await once(child, "close");
	process.off("exit", stop);
	return { outcomes: outcomes ?? [{ name: `checks (exit code ${code})`, passed: false, seconds: 0 }], output };
}
