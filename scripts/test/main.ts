import { globSync } from "node:fs";
import { staticChecks } from "../checks.ts";
import { buildPackages } from "../packages/build.ts";
import { provePackedPackages } from "../packages/packed.ts";
import { printSummary, runSteps } from "../steps.ts";
import { printFailures } from "./report.ts";
import { startSystemPostgres } from "./system-postgres.ts";
import { createTestRuns } from "./test-runs.ts";

/** What speaks to PostgreSQL itself; SDKs and examples on top of it have nothing new to say to another version. */
const onEveryServer = "{packages/{engine,postgres,http},apps/server}/test/**/*.test.ts";
/**
 * What these ask of a server is asked by others, too; they take long for other reasons: ffmpeg, proxies, servers of
 * their own, whole restores, files by the hundred, and requests or connections by the thousand that are refused before
 * it.
 */
const exceptions = [
	"apps/server/test/{behind-nginx,broken-disk,confinement,data-directory/{leftovers,lock},descriptors,failover,half-open,hostile-buckets,late-transcripts,names-that-hang,restore-guide,start/start-engine,wrong-clocks}.test.ts",
	"packages/engine/test/{check,upload-interleavings}.test.ts",
	"packages/http/test/json/bad-input.test.ts",
	"packages/postgres/test/connections/failover.test.ts",
	"packages/http/test/internal/{chunks,killed-worker,large-archive,lost-lock,playable-first}.test.ts",
];

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
				await tests.run(["--project=database", ...globSync(onEveryServer, { exclude: exceptions })], {
					REELMILL_DATABASE_URL: server.url,
				});
			} finally {
				await server.stop();
			}
		},
	},
]);
const { failures, unsteady } = tests.failures();
printFailures("Failed", failures);
printFailures("Failed in the whole run and passed on their own: mend these", unsteady);
printSummary(outcomes);
const { passed, failed } = tests.counts();
console.log(
	`\n${passed} passed, ${failed} failed${unsteady.length > 0 ? `, ${unsteady.length} of them not at once` : ""}`,
);
if (outcomes.some((outcome) => !outcome.passed)) process.exitCode = 1;
