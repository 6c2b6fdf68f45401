import { types } from "./checks/static-checks.ts";
import { buildPackages } from "./packages/build.ts";
import { printSummary, runSteps } from "./programs/steps.ts";

const outcomes = await runSteps([types, { name: "build", run: buildPackages }]);
printSummary(outcomes);
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
