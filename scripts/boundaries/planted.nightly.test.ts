import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { tool } from "../programs/tool.ts";
import { root } from "../setup/paths.mjs";

const boundaries = ["depcruise", "--config", join(root, "scripts/boundaries/rules.mjs"), "packages"];
const linter = ["biome", "lint", "--colors=off"];

// A checker that lets such a line through is blind, however green it is.
it.each([
	["webhooks/src", 'export type { A } from "../../engine/src/index.ts";', "arrows-of-webhooks", boundaries],
	["client/src", 'export { A } from "../../contracts/src/index.ts";', "arrows-of-client-at-run-time", boundaries],
	["media/src", 'export type * from "./planted.ts";', "no-cycle", boundaries],
	["media/src/source", 'export type { A } from "../plan/plan.ts";', "no-circle-of-folders", boundaries],
	["browser/src", 'export { join } from "node:path";', "browser-never-imports-zod-or-node", boundaries],
	["engine/src", "export const planted = Date.now();", "takes time and chance from its ports", linter],
	["postgres/src", "export const planted = new Date();", "moments come from the engine's Clock", linter],
	["http/src", 'export { request } from "undici";', "docs/guides/outside-addresses.md", linter],
	[
		"http/src",
		"export const planted = (clock: { now(): number }, since: number) => clock.now() - since;",
		"A duration never goes by a clock that can be set",
		linter,
	],
])("what is planted in %s is refused: %s", (place, text, words, [program = "", ...args]) => {
	using folder = mkdtempDisposableSync(join(tmpdir(), "reelmill-planted-"));
	const planted = `packages/${place}/planted.ts`;
	const files = {
		"package.json": "{}",
		"tsconfig.base.json": "{}",
		"packages/engine/src/index.ts": "export type A = 1;",
		"packages/contracts/src/index.ts": "export const A = 1;",
		"packages/media/src/plan/plan.ts": 'export type { A } from "../source/probe.ts";',
		"packages/media/src/source/probe.ts": "export type A = 1;",
	};
	for (const [file, content] of Object.entries({ ...files, ".gitignore": "", [planted]: text })) {
		mkdirSync(dirname(join(folder.path, file)), { recursive: true });
		writeFileSync(join(folder.path, file), `${content}\n`);
	}
	for (const path of ["biome.json", "scripts/lint"])
		cpSync(join(root, path), join(folder.path, path), { recursive: true });
	const { stdout, stderr } = spawnSync(tool(program), args, { cwd: folder.path, encoding: "utf8" });
	expect(stdout + stderr).toContain(words);
});

it("a slow expression is refused", () => {
	const args = [
		"--config",
		"scripts/lint/expressions.mjs",
		"--stdin",
		"--stdin-filename",
		"packages/http/src/planted.ts",
	];
	const input = "export const planted = (text: string) => /^bearer +(.+?) *$/i.test(text);\n";
	const { stdout } = spawnSync(tool("eslint"), args, { cwd: root, input, encoding: "utf8" });
	expect(stdout).toContain("regexp/no-super-linear-backtracking");
});
