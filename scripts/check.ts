import { staticChecks } from "./checks.ts";
import { printSummary, runSteps } from "./steps.ts";

const outcomes = await runSteps(staticChecks);
printSummary(outcomes);
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
