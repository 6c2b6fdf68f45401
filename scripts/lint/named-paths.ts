import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../setup/paths.mjs";

const documents = ["*.md", "docs/**/*.md", "{apps,packages,examples}/*/README.md", "{bench,faults,fuzz}/*.md"];
/** A text that begins so is a path from the repository's root. */
const fromRoot = /^(?:\.changeset|\.ci|apps|bench|deploy|docs|examples|faults|fuzz|packages|scripts)\//;
/** In a package's README, a text that begins so is a path from its package's folder. */
const fromPackage = /^(?:src|test|migrations)\//;

export type NamedPath = { readonly line: number; readonly path: string };

/** Finds the paths that a document names: links to files, and paths in backticks. Code blocks count for nothing. */
export function namedPaths(text: string): NamedPath[] {
	let isCode = false;
	return text.split("\n").flatMap((line, index) => {
		if (line.trim().startsWith("```")) isCode = !isCode;
		if (isCode) return [];
		const links = [...line.matchAll(/\]\(([^()[\]\s#]+)[#)]/g)]
			.map(([, target = ""]) => target)
			.filter((target) => !/^[a-z]+:|^\//.test(target))
			.map((target) => (target.startsWith(".") ? target : `./${target}`));
		const quoted = [...line.matchAll(/`([^`\s<>…]+)`/g)]
			.map(([, target = ""]) => target.replace(/:\d+$/, ""))
			.filter((target) => fromRoot.test(target) || fromPackage.test(target));
		return [...links, ...quoted].map((path) => ({ line: index + 1, path }));
	});
}

/** Proves that every path which a document names exists. */
export async function proveNamedPaths(): Promise<void> {
	const complaints: string[] = [];
	let count = 0;
	for (const file of globSync(documents, { cwd: root, exclude: ["**/node_modules/**"] })) {
		const folder = dirname(file);
		const isOfPackage = /^(?:apps|examples|packages)\//.test(folder);
		for (const { line, path } of namedPaths(readFileSync(join(root, file), "utf8"))) {
			if (fromPackage.test(path) && !isOfPackage) continue;
			count++;
			const wanted = join(fromRoot.test(path) ? "" : folder, path);
			if (!existsSync(join(root, wanted)) && globSync(wanted, { cwd: root }).length === 0)
				complaints.push(`${file}:${line}: there is no ${wanted}`);
		}
	}
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	console.log(`${count} paths`);
}
