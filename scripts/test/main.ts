import { staticChecks } from "../checks.ts";
import { buildPackages } from "../packages/build.ts";
import { provePackedPackages } from "../packages/packed.ts";
import { printSummary, runSteps } from "../steps.ts";
import { startSystemPostgres } from "./system-postgres.ts";
import { createTestRuns } from "./test-runs.ts";

const tests = createTestRuns();
const outcomes = await runSteps([
	...staticChecks,
	{ name: "build", run: buildPackages },
	{ name: "packed packages", run: provePackedPackages },
	{ name: "tests, embedded PostgreSQL", run: () => tests.run([]) },
	{
		name: "tests, system's PostgreSQL",
		async run() {
			const server = await startSystemPostgres();
			try {
				await tests.run(["--project", "database"], { REELMILL_DATABASE_URL: server.url });
			} finally {
				await server.stop();
			}
		},
	},
]);
printSummary(outcomes);
const { passed, failed } = tests.counts();
console.log(`\n${passed} passed, ${failed} failed`);
if (outcomes.some((outcome) => !outcome.passed)) process.exitCode = 1;
