import { staticChecks } from "./checks.ts";
import { triedExpressions } from "./lint/expressions.ts";
import { provePackedPackages } from "./packages/packed.ts";
import { printSummary, runSteps } from "./steps.ts";

const onAllNodes = process.argv.includes("--packed-on-all-nodes");
const outcomes = await runSteps([
	...staticChecks,
	...(onAllNodes ? [triedExpressions] : []),
	{ name: "packed packages, and the documents' code", run: () => provePackedPackages({ onAllNodes }) },
]);
printSummary(outcomes);
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
