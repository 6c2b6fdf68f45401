import { staticChecks } from "../checks.ts";
import { provePackedPackages } from "../packages/packed.ts";
import { runSteps } from "../steps.ts";
import { enterCpuGroup } from "./cpu.ts";

enterCpuGroup("static checks");
const outcomes = await runSteps(staticChecks);
enterCpuGroup("packed packages");
outcomes.push(...(await runSteps([{ name: "packed packages, and the documents' code", run: provePackedPackages }])));
process.send?.(outcomes);
