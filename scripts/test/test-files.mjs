import { existsSync, readdirSync } from "node:fs";
import { basename, isAbsolute, join, relative } from "node:path";
import { root } from "../setup/paths.mjs";

const folders = ["packages", "apps", "examples", "faults", "fuzz", "scripts", "docs"];
const skipped = new Set(["node_modules", "dist"]);

/**
 * Finds the test files whose path from the root contains one of the filters, as vitest does; all test files if there is
 * no filter.
 * @param {readonly string[]} filters parts of paths, or absolute paths
 * @returns {string[]} paths from the root
 */
export function findTestFiles(filters = []) {
	const parts = filters.map((filter) => (isAbsolute(filter) ? relative(root, filter) : filter.replace(/^\.\//, "")));
	const all = folders.flatMap((folder) => testFilesIn(folder));
	return parts.length === 0 ? all : all.filter((file) => parts.some((part) => file.includes(part)));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function testFilesIn(folder) {
	if (!existsSync(join(root, folder))) return [];
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) return skipped.has(entry.name) ? [] : testFilesIn(path);
		return entry.name.endsWith(".test.ts") ? [path] : [];
	});
}

/**
 * Tests of a folder by their names, without `.test.ts`; all tests of the folder if there is no name.
 * @typedef {readonly [folder: string, ...names: string[]]} Tests
 */

/**
 * Whether a test is one of `tests`. It may lie anywhere in the folder.
 * @param {string} file a path from the root
 * @param {Tests} tests
 */
export const isOneOf = (file, [folder, ...names]) =>
	file.startsWith(`${folder}/`) && (names.length === 0 || names.includes(basename(file, ".test.ts")));
