import { provePackedPackages } from "../packed/prove.ts";
import { runSteps } from "../programs/steps.ts";
import { enterCpuGroup } from "../test/cpu.ts";
import { staticChecks } from "./static-checks.ts";

enterCpuGroup("static checks");
const outcomes = await runSteps(staticChecks);
enterCpuGroup("packed packages");
outcomes.push(...(await runSteps([{ name: "packed packages, and the documents' code", run: provePackedPackages }])));
process.send?.(outcomes);
