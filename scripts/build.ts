import { buildPackages } from "./packages/build.ts";
import { printSummary, runSteps } from "./steps.ts";

const outcomes = await runSteps([{ name: "build", run: buildPackages }]);
printSummary(outcomes);
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
