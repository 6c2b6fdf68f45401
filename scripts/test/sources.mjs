import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../setup/paths.mjs";

/** @typedef {{ readonly text: string, readonly next: readonly string[] }} Source a file, and those that it leads to */

/** What was read already. @type {Map<string, Source>} */
const sources = new Map();
/** @type {Map<string, string> | undefined} */
let entries;

/**
 * Reads the files, and all source files that they lead to.
 * @param {readonly string[]} files
 * @returns {Source[]}
 */
export function sourcesOf(files) {
	const seen = new Set(files);
	/** @type {Source[]} */
	const found = [];
	for (const file of seen) {
		// These name programs that they don't start.
		if (file.startsWith("scripts/") && (file.endsWith(".test.ts") || file.startsWith("scripts/setup/"))) continue;
		const source = sources.get(file) ?? readSource(file);
		sources.set(file, source);
		found.push(source);
		for (const next of source.next) seen.add(next);
	}
	return found;
}

/**
 * @param {string} file
 * @returns {Source}
 */
function readSource(file) {
	entries ??= workspaceEntries();
	const text = withoutTypes(readFileSync(join(root, file), "utf8"));
	/** @type {string[]} */
	const next = [];
	for (const { 1: path = "", index } of text.matchAll(/"([\w@./-]+)"/g)) {
		const isImported = /(?:from |import |import\()$/.test(text.slice(index - 7, index));
		const entry = isImported ? entries.get(path) : undefined;
		const source = entry ?? sourceAt(dirname(file), path) ?? sourceAt("", path);
		if (source !== undefined) next.push(source);
	}
	return { text, next };
}

/**
 * Leaves out the imports of types: they lead to nothing that runs.
 * @param {string} text
 */
const withoutTypes = (text) =>
	text
		.split(";\n")
		.filter((statement) => !/^\n?(?:import|export) type /.test(statement))
		.join(";\n");

/**
 * @param {string} folder
 * @param {string} path
 */
function sourceAt(folder, path) {
	if (!/\.(?:ts|mjs)$/.test(path)) return undefined;
	const file = relative(root, join(root, folder, path));
	return !file.startsWith("..") && existsSync(join(root, file)) ? file : undefined;
}

/**
 * What each entry of a package of the workspace is made of, by the name that it is imported by.
 * @returns {Map<string, string>} files from the root
 */
export function workspaceEntries() {
	const parents = ["apps", "packages"].filter((parent) => existsSync(join(root, parent)));
	const folders = parents.flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
	return new Map(
		folders
			.filter((folder) => existsSync(join(root, folder, "package.json")))
			.flatMap((folder) => {
				const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
				return Object.entries(exports).map(
					([entry, source]) =>
						/** @type {const} */ ([entry.replace(/^\./, name), join(folder, source.default ?? source)]),
				);
			}),
	);
}
