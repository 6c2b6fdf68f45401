import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../setup/paths.mjs";
import { postgresql } from "../setup/postgresql.mjs";
import {
	bubblewrap,
	chromium,
	diskFaults,
	ffmpeg,
	ffprobe,
	reverseProxy,
	s3Server,
	speech,
} from "../setup/programs.mjs";

/** @typedef {import("../setup/programs.mjs").Program} Program */

const sandbox = process.platform === "linux" ? [bubblewrap] : [];

/**
 * A source file that has such a name between quotes starts the program, or looks for it.
 * @type {readonly (readonly [name: RegExp, programs: readonly Program[]])[]}
 */
const starters = [
	[/"ff(?:mpeg|probe)"/, [ffmpeg, ffprobe, ...sandbox]],
	[/"bwrap"/, sandbox],
	[/"chromium"/, [chromium]],
	[/\bfindPostgresqlFolder\(/, [postgresql]],
	[/"nginx"/, reverseProxy],
	[/"(?:pocketsphinx_continuous"|\/usr\/share\/pocketsphinx)/, speech],
	[/"(?:cc|mkfs\.ext4)"/, diskFaults],
];

/**
 * Finds the programs that test files need: those that the files name, and all source files that they import or start.
 * @param {readonly string[]} files paths from the root
 * @param {NodeJS.ProcessEnv} environment names the S3 server of the tests, if it is not the machine's own
 * @returns {Program[]}
 */
export function programsFor(files, environment) {
	/** @type {Set<Program>} */
	const needed = new Set();
	for (const text of textsOf(files))
		for (const [name, programs] of starters) if (name.test(text)) for (const program of programs) needed.add(program);
	if (!environment.REELMILL_TEST_S3_ENDPOINT && files.some((file) => file.endsWith(".s3.test.ts")))
		for (const program of s3Server) needed.add(program);
	return [...needed];
}

/**
 * Reads the files, and all source files that they lead to.
 * @param {readonly string[]} files
 * @returns {string[]}
 */
function textsOf(files) {
	const entries = workspaceEntries();
	const seen = new Set(files);
	/** @type {string[]} */
	const texts = [];
	for (const file of seen) {
		// These name programs that they don't start.
		if (file.startsWith("scripts/") && (file.endsWith(".test.ts") || file.startsWith("scripts/setup/"))) continue;
		const text = withoutTypes(readFileSync(join(root, file), "utf8"));
		texts.push(text);
		for (const { 1: path = "", index } of text.matchAll(/"([\w@./-]+)"/g)) {
			const isImported = /(?:from |import |import\()$/.test(text.slice(index - 7, index));
			const entry = isImported ? entries.get(path) : undefined;
			const next = entry ?? sourceAt(dirname(file), path) ?? sourceAt("", path);
			if (next !== undefined) seen.add(next);
		}
	}
	return texts;
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
 * @returns {Map<string, string>}
 */
function workspaceEntries() {
	const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
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
