import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { commands } from "./commands.mjs";
import { root } from "./setup/paths.mjs";
import { parseAll, parts } from "./test/all.ts";

/** The commands that no part of `npm run test:all` runs, and why. */
const notAtNight: Record<string, string> = {
	"measure-tests": "writes into the tree",
	"next-version": "writes into the tree; the static checks make the next version in a copy",
	setup: "every command does it first",
	start: "apps/server/test starts it",
	demo: "examples/demo/test goes through it",
	nextjs: "examples/nextjs/test goes through what it starts",
	"test:fast": "is a part of npm test",
	test: "is a part of npm run test:all",
	"test:all": "is what runs at night",
	build: "the packed packages are built by it",
};

it("is run by the nightly workflow, a job for each part", () => {
	const workflow = parse(readFileSync(join(root, ".github/workflows/nightly.yml"), "utf8"));
	expect(workflow.jobs.part.strategy.matrix.part).toEqual(parts.map(({ name }) => name));
});

it("runs each command, but those that have a reason", () => {
	const run = parts.flatMap(({ command = [] }) => command.slice(0, 1));
	expect([...run, ...Object.keys(notAtNight)].sort()).toEqual([...commands.keys()].sort());
});

it("names the parts when there is none of that name", () => {
	expect(() => parseAll(["medea"])).toThrow(/^There is no part "medea": choose of checks, contracts, /);
	expect(parseAll(["media", "--again"])).toEqual({ names: ["media"], again: true, list: false });
});
