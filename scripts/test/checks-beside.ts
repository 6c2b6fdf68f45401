import { setPriority } from "node:os";
import { staticChecks } from "../checks.ts";
import { buildPackages } from "../packages/build.ts";
import { provePackedPackages } from "../packages/packed.ts";
import { runSteps } from "../steps.ts";

// It runs beside the tests, in the time in which they wait.
setPriority(10);
const outcomes = await runSteps([
	...staticChecks,
	{ name: "build", run: buildPackages },
	{ name: "packed packages", run: provePackedPackages },
]);
process.send?.(outcomes);
