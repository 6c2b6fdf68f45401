import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { root } from "./scripts/setup/paths.mjs";
import { ByProject } from "./scripts/test/by-project.ts";
import { runsOnGivenPostgres } from "./scripts/test/on-postgres.ts";
import { filesOf, type Run } from "./scripts/test/runs.mjs";
import { findTestFiles } from "./scripts/test/test-files.mjs";

// What is compiled once is not compiled again by the hundreds of processes that tests start.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.reelmill/compiled");

/** The tests of the console's page need the page, built. */
const onPage = (file: string) => file.startsWith("packages/console/test/");
const onStorage = (file: string) => file.endsWith(".s3.test.ts");
const onDatabase = (file: string) => !onStorage(file) && !onPage(file) && runsOnGivenPostgres(file);
const onNothing = (file: string) => !onStorage(file) && !onPage(file) && !onDatabase(file);

const database = "./scripts/test/database.ts";
const storage = [database, "./scripts/test/s3.ts"];
const page = [database, "./scripts/test/console-page.ts"];

const files = filesOf((process.env.REELMILL_TEST_RUN || "all") as Run, findTestFiles());
const project = (name: string, isChosen: (file: string) => boolean, globalSetup: string | string[]) => ({
	extends: true as const,
	test: { name, include: files.filter(isChosen), globalSetup },
});

export default defineConfig({
	test: {
		// Two more than there are processors: many tests wait for time to pass.
		maxWorkers: availableParallelism() + 2,
		// A worker loads what it tests once, not for each file: that took a second of the processor a file.
		isolate: false,
		// How long something may take is no matter of these limits: a machine may be ten times slower than another.
		testTimeout: 300_000,
		hookTimeout: 300_000,
		expect: { poll: { timeout: 120_000 } },
		allowOnly: false,
		passWithNoTests: false,
		setupFiles: "./scripts/test/enter-cpu-group.ts",
		sequence: { sequencer: ByProject },
		projects: [
			project("page", onPage, page),
			project("storage", onStorage, storage),
			project("database", onDatabase, database),
			project("plain", onNothing, []),
		].filter(({ test }) => test.include.length > 0),
	},
});
