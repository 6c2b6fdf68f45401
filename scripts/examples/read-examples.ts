import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";

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
function examplesIn(file: string, text: string): Example[] {
	const examples: Example[] = [];
	const lines = text.split("\n");
	let fence: { readonly first: number; readonly code: string[] } | undefined;
	let isInDocstring = false;
	let isExample = false;
	for (const [index, line] of lines.entries()) {
		const trimmed = line.trim();
		if (trimmed.startsWith("/**")) isInDocstring = true;
		if (!isInDocstring) continue;
		const content = line.replace(/^\s*\* ?/, "");
		if (fence && content.trim() === "```") {
			examples.push({ file, line: fence.first + 1, code: `${fence.code.join("\n")}\n` });
			fence = undefined;
		} else if (fence) fence.code.push(content);
		else if (isExample && content.trim() === "```ts") fence = { first: index + 1, code: [] };
		else if (/^@\w/.test(content)) isExample = content.startsWith("@example");
		if (trimmed.endsWith("*/")) {
			isInDocstring = false;
			isExample = false;
			fence = undefined;
		}
	}
	return examples;
}
