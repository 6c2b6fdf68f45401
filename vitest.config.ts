import { configDefaults, defineConfig } from "vitest/config";

/** Where the tests need a PostgreSQL server. */
const onDatabase = [
	"packages/engine",
	"packages/postgres",
	"packages/http",
	"packages/node",
	"packages/cli",
	"apps/server",
	"examples/*",
].map((folder) => `${folder}/test/**/*.test.ts`);

/** Where they need an S3 server, and perhaps a PostgreSQL server, too. */
const onStorage = ["packages", "apps", "examples"].map((folder) => `${folder}/*/test/**/*.s3.test.ts`);

export default defineConfig({
	test: {
		// One more than the processors of the smallest machine: many tests wait for time to pass.
		maxWorkers: 3,
		testTimeout: 120_000,
		hookTimeout: 180_000,
		expect: { poll: { timeout: 60_000 } },
		allowOnly: false,
		passWithNoTests: false,
		projects: [
			{
				extends: true,
				test: {
					name: "plain",
					include: [
						"packages/*/test/**/*.test.ts",
						"apps/*/test/**/*.test.ts",
						"faults/test/**/*.test.ts",
						"fuzz/test/**/*.test.ts",
						"scripts/**/*.test.ts",
					],
					exclude: [...configDefaults.exclude, ...onDatabase, ...onStorage],
				},
			},
			{
				extends: true,
				test: {
					name: "database",
					include: onDatabase,
					exclude: [...configDefaults.exclude, ...onStorage],
					globalSetup: "./scripts/test/database.ts",
				},
			},
			{
				extends: true,
				test: {
					name: "storage",
					include: onStorage,
					globalSetup: ["./scripts/test/database.ts", "./scripts/test/s3.ts"],
				},
			},
		],
	},
});
