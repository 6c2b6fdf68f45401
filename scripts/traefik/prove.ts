import { runToEnd } from "../spawn.mjs";
import { tool } from "../tool.ts";
import { buildTraefik } from "./build.ts";

process.env.REELMILL_TRAEFIK ||= await buildTraefik();
process.exitCode = await runToEnd(tool("vitest"), ["run", "--config", "scripts/traefik/vitest.config.ts"]);
