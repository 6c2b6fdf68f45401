import { tool } from "../checks.ts";
import { runToEnd } from "../spawn.mjs";

// All of vitest's projects but those of the long tests.
process.exitCode = await runToEnd(tool("vitest"), ["run", "--project=!long*", ...process.argv.slice(2)]);
