import { proveLinks } from "../documents/links.ts";
import { proveGenerators } from "../generators/prove.ts";
import { proveMigrations } from "../migrations/prove-migrations.ts";
import type { Step } from "../programs/steps.ts";
import { tool } from "../programs/tool.ts";
import { proveChangesets } from "../release/prove-changesets.ts";
import { proveCosts } from "../test/costs.ts";

/** Proves the types, and leaves each source's declarations in `dist/`, from which the packages are built. */
export const types: Step = { name: "types", program: tool("tsc"), args: ["-p", "."] };

/** What is proved of every change by reading the sources. */
export const staticChecks: readonly Step[] = [
	{ name: "format and lint", program: tool("biome"), args: ["check", "--error-on-warnings"] },
	types,
	{
		name: "boundaries",
		program: tool("depcruise"),
		args: ["--config", "scripts/boundaries/rules.mjs", "packages", "apps", "examples", "bench", "faults", "fuzz"],
	},
	{ name: "migrations lock nothing, and fit the release before", run: proveMigrations },
	{ name: "links and paths of documents", run: proveLinks },
	{ name: "changesets, and the next version", run: proveChangesets },
	{ name: "what tests cost", run: proveCosts },
	{ name: "nothing unused", program: tool("knip"), args: ["--no-progress"] },
];

/** What a change seldom breaks, and costs as much as all of the above but the types: each night proves it. */
export const nightlyChecks: readonly Step[] = [
	{
		name: "no slow expressions",
		program: tool("eslint"),
		args: ["--config", "scripts/lint/expressions.mjs", "--max-warnings=0", "packages/*/src/**", "apps/*/src/**"],
	},
	{ name: "clients that people generate", run: proveGenerators },
];
