import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { blocksOf } from "./read-code.ts";

/** A fenced `ts` block under `@example` in a docstring. */
export type Example = {
	/** From the repository's root. */
	readonly file: string;
	/** Line of the first line of code, counted from 1. */
	readonly line: number;
	readonly code: string;
};

/** Reads every example in the sources of a package. */
export const readExamples = (packageFolder: string): Example[] =>
	globSync("src/**/*.ts", { cwd: join(root, "packages", packageFolder) })
		.sort()
		.map((file) => join("packages", packageFolder, file))
		.flatMap((file) => examplesIn(file, readFileSync(join(root, file), "utf8")));

/** Finds the examples in the text of one file. */
const examplesIn = (file: string, text: string): Example[] =>
	[...text.matchAll(/^\s*\/\*\*.*?\*\//gms)].flatMap(({ 0: docstring, index }) => {
		const lines = docstring.split("\n").map((line) => line.replace(/^\s*\* ?/, ""));
		const at = lines.findIndex((line) => line.startsWith("@example"));
		if (at < 0) return [];
		const before = text.slice(0, index).split("\n").length - 1 + at;
		return [...blocksOf(lines.slice(at).join("\n"), /^ts$/)].map(({ line, text: code }) => ({
			file,
			line: before + line,
			code,
		}));
	});
