import { runToEnd } from "../spawn.mjs";
import { tool } from "../tool.ts";
import { proveEverything } from "./everything.ts";

const args = process.argv.slice(2);
if (args.length === 0) process.exitCode = (await proveEverything()) ? 0 : 1;
else process.exitCode = await runToEnd(tool("vitest"), [args.includes("--watch") ? "watch" : "run", ...args]);
