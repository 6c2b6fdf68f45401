import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "../checks.ts";
import { runToEnd } from "../spawn.mjs";
import { type Failure, failuresOf, type Report } from "./report.ts";

/** More files than this that fail at once are no accident of a busy machine. */
const filesRunAgain = 3;

/**
 * Runs of vitest: the sum of what they counted, what failed, and what failed once only. `reporter` is what is shown of
 * them meanwhile.
 */
export function createTestRuns({ reporter = "default" }: { readonly reporter?: string } = {}) {
	const sum = { passed: 0, failed: 0 };
	const failures: Failure[] = [];
	const unsteady: Failure[] = [];

	async function vitest(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Report> {
		const { REELMILL_DATABASE_URL: _, ...inherited } = process.env;
		const directory = mkdtempSync(join(tmpdir(), "reelmill-test-report-"));
		const file = join(directory, "report.json");
		try {
			const reporters = [`--reporter=${reporter}`, "--reporter=json", `--outputFile.json=${file}`];
			const code = await runToEnd(tool("vitest"), ["run", ...reporters, ...args], { ...inherited, ...environment });
			if (!existsSync(file)) throw new Error(`vitest ended with exit code ${code} before it could report.`);
			const report: Report = JSON.parse(readFileSync(file, "utf8"));
			if (code !== 0 && failuresOf(report).length === 0)
				throw new Error(`vitest ended with exit code ${code}, and no test failed.`);
			return report;
		} finally {
			rmSync(directory, { recursive: true, force: true });
		}
	}

	return {
		/**
		 * Runs vitest in the foreground. Up to three files that failed are run once more, on their own: what passes then is
		 * kept as unsteady, by name and with what it said. Rejects where a file fails twice, where more fail, and where a
		 * test is left out.
		 */
		async run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<void> {
			const report = await vitest(args, environment);
			sum.passed += report.numPassedTests;
			const leftOut = report.numTotalTests - report.numPassedTests - report.numFailedTests;
			if (leftOut > 0) throw new Error(`${leftOut} tests did not run.`);
			const first = failuresOf(report);
			if (first.length === 0) return;

			const files = [...new Set(first.map(({ file }) => file))];
			if (files.length > filesRunAgain) {
				sum.failed += report.numFailedTests;
				failures.push(...first);
				throw new Error(`${files.length} files failed.`);
			}
			console.log(`\nOnce more on their own: ${files.join(", ")}`);
			const again = failuresOf(
				await vitest([...args.filter((argument) => argument.startsWith("--")), ...files], environment),
			);
			if (again.length > 0) {
				sum.failed += report.numFailedTests;
				failures.push(...again);
				throw new Error(`${files.length === 1 ? "A file" : "Files"} failed twice.`);
			}
			sum.passed += report.numFailedTests;
			unsteady.push(...first);
		},
		counts: () => ({ ...sum }),
		/** What failed, and what failed in the whole run and passed on its own. */
		failures: () => ({ failures, unsteady }),
	};
}
