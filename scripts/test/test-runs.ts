import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "../checks.ts";
import { runToEnd } from "../spawn.mjs";

type Report = { readonly numPassedTests: number; readonly numFailedTests: number; readonly numTotalTests: number };

/** Runs of vitest, and the sum of what they counted. */
export function createTestRuns() {
	const sum = { passed: 0, failed: 0 };
	return {
		/** Runs vitest in the foreground; rejects where it fails, or where it leaves a test out. */
		async run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<void> {
			const { REELMILL_DATABASE_URL: _, ...inherited } = process.env;
			const directory = mkdtempSync(join(tmpdir(), "reelmill-test-report-"));
			const file = join(directory, "report.json");
			try {
				const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
				const code = await runToEnd(tool("vitest"), ["run", ...reporters, ...args], { ...inherited, ...environment });
				if (!existsSync(file)) throw new Error(`vitest ended with exit code ${code} before it could report.`);
				const { numPassedTests, numFailedTests, numTotalTests }: Report = JSON.parse(readFileSync(file, "utf8"));
				sum.passed += numPassedTests;
				sum.failed += numFailedTests;
				if (code !== 0) throw new Error(`vitest ended with exit code ${code}.`);
				if (numPassedTests !== numTotalTests) throw new Error(`${numTotalTests - numPassedTests} tests did not run.`);
			} finally {
				rmSync(directory, { recursive: true, force: true });
			}
		},
		counts: () => ({ ...sum }),
	};
}
