import { configDefaults, defineConfig } from "vitest/config";

/** Where the tests need a PostgreSQL server. They run once on each of the two servers of `npm test`. */
const onDatabase = ["packages/engine", "packages/postgres", "packages/http", "packages/node", "packages/cli", "apps/server", "examples/*"].map(
	(folder) => `${folder}/test/**/*.test.ts`,
);

export default defineConfig({
	test: {
		maxWorkers: 2,
		testTimeout: 30_000,
		hookTimeout: 60_000,
		allowOnly: false,
		passWithNoTests: false,
		projects: [
			{
				extends: true,
				test: {
					name: "plain",
					include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
					exclude: [...configDefaults.exclude, ...onDatabase],
				},
			},
			{ extends: true, test: { name: "database", include: onDatabase, globalSetup: "./scripts/test/database.ts" } },
		],
	},
});
