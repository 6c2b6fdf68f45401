import { deepStrictEqual } from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";

type Settings = { readonly module: string; readonly moduleResolution?: string };

/** What the README says of projects that compile to CommonJS: with the first it doesn't work, with the others it does. */
const node16: Settings = { module: "node16" };
const good: readonly Settings[] = [
	{ module: "nodenext" },
	{ module: "commonjs", moduleResolution: "bundler" },
	{ module: "commonjs" },
];

const source = `import { createReelmill } from "@reelmill/node";
console.log(typeof createReelmill({ baseUrl: "https://video.example.com", apiKey: "ek_1" }).videos.upload);
`;

/**
 * Proves, by a program of two lines, what `packages/node/README.md` says of TypeScript that compiles to CommonJS: it
 * compiles against the packages installed in a project, and each of these Nodes runs it.
 */
export async function proveCommonJs(project: string, nodes: readonly string[]): Promise<void> {
	const readme = readFileSync(join(root, "packages/node/README.md"), "utf8");
	for (const [name, value] of good.flatMap((settings) => Object.entries(settings)))
		if (!readme.includes(`\`"${name}": "${value}"\``)) throw new Error(`The README doesn't say "${name}": "${value}".`);
	const folder = join(project, "commonjs");
	mkdirSync(folder);
	writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "commonjs" }\n');
	writeFileSync(join(folder, "main.ts"), source);
	// "The current file is a CommonJS module [...]; however, the referenced file is an ECMAScript module."
	deepStrictEqual(compile(folder, node16), [1479]);
	for (const settings of good) {
		deepStrictEqual([settings, compile(folder, settings)], [settings, []]);
		for (const node of nodes) deepStrictEqual(await run(node, ["main.js"], folder), "function\n");
	}
	console.log(`CommonJS: ${good.map((settings) => JSON.stringify(settings)).join(", ")}`);
}

/** Compiles `main.ts`, and returns the numbers of what the compiler finds wrong. */
function compile(folder: string, settings: Settings): number[] {
	const typeRoots = ["../node_modules/@types"];
	const json = { ...settings, strict: true, target: "es2024", types: ["node"], typeRoots, skipLibCheck: true };
	const { options, errors } = ts.convertCompilerOptionsFromJson(json, folder);
	const program = ts.createProgram([join(folder, "main.ts")], options);
	const found = [...errors, ...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
	return found.map(({ code }) => code);
}
