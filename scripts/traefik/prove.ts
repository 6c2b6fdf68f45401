import { tool } from "../programs/tool.ts";
import { runToEnd } from "../setup/spawn.mjs";
import { buildTraefik } from "./build.ts";

process.env.REELMILL_TRAEFIK ||= await buildTraefik();
process.exitCode = await runToEnd(tool("vitest"), ["run", "--config", "scripts/traefik/vitest.config.ts"]);
