import { runToEnd } from "../spawn.mjs";
import { tool } from "../tool.ts";

// All of vitest's projects but those of the long tests.
process.exitCode = await runToEnd(tool("vitest"), ["run", "--project=!long*", ...process.argv.slice(2)]);
