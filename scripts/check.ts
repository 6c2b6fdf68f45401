import { staticChecks } from "./checks.ts";
import { provePackedPackages } from "./packages/packed.ts";
import { printSummary, runSteps } from "./steps.ts";

const onAllNodes = process.argv.includes("--packed-on-all-nodes");
const outcomes = await runSteps([
	...staticChecks,
	{ name: "packed packages, and the documents' code", run: () => provePackedPackages({ onAllNodes }) },
]);
printSummary(outcomes);
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
