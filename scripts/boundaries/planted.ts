import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "../setup/paths.mjs";
import { capture } from "../spawn.mjs";

type Checker = "types" | "runtime" | "lint" | "expressions";
/** A line that a rule must refuse: a checker that lets it through is blind, however green it is. */
type Planted = { readonly checker: Checker; readonly file: string; readonly line: string; readonly caughtBy: string };

const planted: readonly Planted[] = [
	{
		checker: "types",
		file: "packages/webhooks/src/planted.ts",
		line: 'import type { Database } from "../../engine/src/index.ts";\nexport type Planted = Database;',
		caughtBy: "arrows-of-webhooks",
	},
	{
		checker: "types",
		file: "packages/http/src/planted.ts",
		line: 'import type { SignOptions } from "../../webhooks/src/index.ts";\nexport type Planted = SignOptions;',
		caughtBy: "arrows-of-http",
	},
	{
		checker: "types",
		file: "packages/engine/src/videos/planted.ts",
		line: 'import type { Planted } from "../keys/keys.ts";\nexport type Other = Planted;',
		caughtBy: "engine-nouns-meet-through-their-index",
	},
	{
		checker: "types",
		file: "packages/media/src/planted.ts",
		line: 'export type * from "./planted.ts";',
		caughtBy: "no-cycle",
	},
	{
		checker: "runtime",
		file: "packages/client/src/planted.ts",
		line: 'export { api } from "@reelmill/contracts";',
		caughtBy: "arrows-of-client",
	},
	{
		checker: "runtime",
		file: "packages/browser/src/planted.ts",
		line: 'export { join } from "node:path";',
		caughtBy: "browser-never-reaches-zod-or-node",
	},
	{
		checker: "runtime",
		file: "packages/media/src/planted.ts",
		line: 'export * from "./planted.ts";',
		caughtBy: "no-cycle",
	},
	{
		checker: "lint",
		file: "packages/media/src/planted.ts",
		line: "export const planted = process.env.HOME;",
		caughtBy: "noProcessEnv",
	},
	{
		checker: "lint",
		file: "packages/http/src/planted.ts",
		line: 'export { request } from "undici";',
		caughtBy: "docs/guides/outside-addresses.md",
	},
	{
		checker: "lint",
		file: "packages/outbound/src/planted.ts",
		line: 'export { lookup } from "node:dns/promises";',
		caughtBy: "It takes one of Node's threads",
	},
	{
		checker: "lint",
		file: "packages/engine/src/planted.ts",
		line: "export const planted = Date.now();",
		caughtBy: "The engine takes time and chance from its ports",
	},
	{
		checker: "lint",
		file: "packages/postgres/src/planted.ts",
		line: "export const planted = Date.now();",
		caughtBy: "moments come from the engine's Clock",
	},
	{
		checker: "lint",
		file: "packages/http/src/guard/planted.ts",
		line: "export const planted = (clock: { now(): number }, since: number) => clock.now() - since;",
		caughtBy: "A duration never goes by a clock that can be set",
	},
	{
		checker: "expressions",
		file: "packages/http/src/planted.ts",
		line: "export const planted = (text: string) => /^bearer +(.+?) *$/i.test(text);",
		caughtBy: "regexp/no-super-linear-backtracking",
	},
	{
		checker: "expressions",
		file: "packages/engine/src/planted.ts",
		line: 'export const planted = (text: string) => text.replaceAll(/<[^>]*>/g, "");',
		caughtBy: "regexp/no-super-linear-move",
	},
	{
		checker: "expressions",
		file: "packages/media/src/planted.ts",
		line: "export const planted = (text: string) => /a.*b/.test(text);",
		caughtBy: "redos/no-vulnerable",
	},
	{
		checker: "expressions",
		file: "packages/worker/src/planted.ts",
		line: 'const part = "a*";\nexport const planted = new RegExp("^(" + part + ")*$");',
		caughtBy: "regexp/no-super-linear-backtracking",
	},
];

const sources = ["packages", "apps", "examples", "bench", "faults", "fuzz"];

/** What a pass of dependency-cruiser is called with; it follows the imports of `from` (default: all sources). */
export const boundaryArguments = (pass: "types" | "runtime", from: readonly string[] = sources): string[] => [
	"--config",
	`scripts/boundaries/${pass}.mjs`,
	...from,
];

/**
 * What ESLint is called with, which looks at regular expressions alone: of what is published, of the apps, and of all
 * that runs beside them.
 */
export const expressionArguments = (...files: string[]): string[] => [
	"--config",
	"scripts/lint/regular-expressions.mjs",
	"--no-color",
	"--max-warnings=0",
	...files,
];
export const expressionSources = ["packages/*/src/**", "apps/*/src/**", "examples/*/src/**", "faults/**", "scripts/**"];

/** Plants the violations in a copy of the sources and sees that each checker refuses all of its own. */
export async function provePlantedViolations(): Promise<void> {
	for (const checker of ["types", "runtime", "lint", "expressions"] as const) {
		const copy = mkdtempSync(join(tmpdir(), "reelmill-planted-"));
		try {
			copyInto(copy);
			await prove(checker, copy);
		} finally {
			rmSync(copy, { recursive: true, force: true });
		}
	}
}

const programs = { types: "depcruise", runtime: "depcruise", lint: "biome", expressions: "eslint" } as const;

function argumentsOf(checker: Checker, files: string[]): string[] {
	if (checker === "lint") return ["check", "--colors=off", ...files];
	return checker === "expressions" ? expressionArguments(...files) : boundaryArguments(checker, files);
}

/** Whether the checker's output tells of this violation. ESLint names a file once, above all that it says of it. */
function isCaught(output: string, { checker, file, caughtBy }: Planted): boolean {
	if (checker === "lint") return output.includes(file) && output.includes(caughtBy);
	if (checker === "expressions")
		return output.split("\n\n").some((block) => block.includes(file) && block.includes(caughtBy));
	return output.includes(`${caughtBy}: ${file}`);
}

async function prove(checker: Planted["checker"], copy: string): Promise<void> {
	const mine = planted.filter((violation) => violation.checker === checker);
	for (const { file, line } of mine) writeFileSync(join(copy, file), `${line}\n`);
	const files = mine.map(({ file }) => file);
	const { code, output } = await capture(
		join(root, "node_modules/.bin", programs[checker]),
		argumentsOf(checker, files),
		{ directory: copy },
	);
	const missed = mine.filter((violation) => !isCaught(output, violation));
	if (code === 0 || missed.length > 0)
		throw new Error(
			`The ${checker} check is blind to ${missed.map(({ caughtBy }) => caughtBy).join(", ")}. It said:\n${output}`,
		);
	console.log(`${checker}: caught ${mine.map(({ caughtBy }) => caughtBy).join(", ")}`);
}

function copyInto(copy: string): void {
	for (const path of ["package.json", "tsconfig.base.json", "biome.json", ".gitignore", "scripts", ...sources]) {
		cpSync(join(root, path), join(copy, path), {
			recursive: true,
			verbatimSymlinks: true,
			filter: (source) => !["dist", "fixtures"].includes(basename(source)),
		});
	}
	symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
}
