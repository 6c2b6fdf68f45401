import { existsSync, mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonTestResults } from "vitest/node";
import { tool } from "../programs/tool.ts";
import { runToEnd } from "../setup/spawn.mjs";
import { type Failure, failuresOf } from "./report.ts";

export type TestRun = { readonly passed: number; readonly failed: number; readonly failures: readonly Failure[] };

type Options = {
	readonly environment?: NodeJS.ProcessEnv;
	/** What vitest shows meanwhile. */
	readonly reporters?: readonly string[];
};

/**
 * Runs vitest in the foreground, and returns what it counted and what failed. A test that fails is never run again:
 * what fails once in a hundred runs is a defect.
 *
 * @throws {Error} when vitest could not report, or left a test out
 */
export async function runTests(
	args: readonly string[],
	{ environment = {}, reporters }: Options = {},
): Promise<TestRun> {
	const { numPassedTests, numFailedTests, numTotalTests, ...report } = await vitest(args, environment, reporters);
	const leftOut = numTotalTests - numPassedTests - numFailedTests;
	if (leftOut > 0) throw new Error(`${leftOut} tests did not run.`);
	return { passed: numPassedTests, failed: numFailedTests, failures: failuresOf(report) };
}

async function vitest(
	args: readonly string[],
	environment: NodeJS.ProcessEnv,
	shown: readonly string[] = ["default"],
): Promise<JsonTestResults> {
	using directory = mkdtempDisposableSync(join(tmpdir(), "reelmill-test-report-"));
	const file = join(directory.path, "report.json");
	const reporters = [...shown, "json"].map((reporter) => `--reporter=${reporter}`);
	const all = ["run", ...reporters, `--outputFile.json=${file}`, ...args];
	const code = await runToEnd(tool("vitest"), all, { ...process.env, ...environment });
	if (!existsSync(file)) throw new Error(`vitest ended with exit code ${code} before it could report.`);
	const report: JsonTestResults = JSON.parse(readFileSync(file, "utf8"));
	if (code !== 0 && failuresOf(report).length === 0)
		throw new Error(`vitest ended with exit code ${code}, and no test failed: look for "Unhandled Errors" above.`);
	return report;
}
