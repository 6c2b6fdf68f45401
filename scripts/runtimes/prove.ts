import { deepStrictEqual } from "node:assert/strict";
import { systemClock } from "../../packages/engine/src/index.ts";
import { openService } from "../../packages/http/test/support/open-service.ts";
import { prove } from "../programs/steps.ts";
import { tool } from "../programs/tool.ts";
import { root } from "../setup/paths.mjs";
import { run as runProgram } from "../setup/spawn.mjs";
import startDatabase from "../test/database.ts";
import { installRuntimes, layOutPackages } from "./install.ts";
import { runtimes } from "./runtimes.ts";
import { expected } from "./scenario.mjs";

const closeDatabase = await startDatabase();
const service = await openService({}, () => ({ clock: systemClock }));
const user = await layOutPackages();
try {
	const programs = await installRuntimes();
	await prove([
		...runtimes.map(({ name, run }) => ({
			name,
			async run() {
				// A tenant for each: together they would pass the limit of requests.
				const { apiKey } = await service.tenant();
				deepStrictEqual(
					await run({ folder: user.folder, programs, service: { baseUrl: service.url, apiKey } }),
					expected,
				);
			},
		})),
		{
			name: "an edge on Workers",
			async run() {
				const environment = { ...process.env, REELMILL_RUNTIMES: programs };
				const args = ["run", "--config", "scripts/runtimes/workers/vitest.config.ts"];
				await runProgram(tool("vitest"), args, root, environment);
			},
		},
	]);
} finally {
	await user.remove();
	await service.close();
	await closeDatabase?.();
}
