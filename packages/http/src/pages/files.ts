import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { CodedFile } from "./page.ts";

/** Files that the build compressed beside the ones they stand for. */
const coded = { ".br": "br", ".gz": "gzip" } as const;

/**
 * Reads all files of a built page's folder into memory. Returns them by their path in it, with `/` between folders. A
 * request then never names a file on the disk. A compressed copy (`name.br`, `name.gz`) is a coding of the file and none itself.
 *
 * @throws {Error} when the folder has no index.html.
 */
export function readFiles(directory: string): ReadonlyMap<string, CodedFile> {
	const names = namesIn(directory);
	const bytesOf = (name: string) => {
		const bytes = readFileSync(join(directory, name));
		return async () => bytes;
	};
	const files = new Map<string, CodedFile>();
	for (const name of names) {
		if (Object.keys(coded).some((ending) => name.endsWith(ending) && names.has(name.slice(0, -ending.length))))
			continue;
		const codings = Object.entries(coded).filter(([ending]) => names.has(name + ending));
		const compressed = Object.fromEntries(codings.map(([ending, coding]) => [coding, bytesOf(name + ending)]));
		files.set(name, { identity: bytesOf(name), ...compressed });
	}
	return files;
}

function namesIn(directory: string): ReadonlySet<string> {
	let names: string[] = [];
	try {
		names = readdirSync(directory, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"));
	} catch (cause) {
		throw new Error(`The page's folder ${directory} can't be read. Was the page built?`, { cause });
	}
	if (!names.includes("index.html"))
		throw new Error(`The page's folder ${directory} has no index.html. Was the page built?`);
	return new Set(names);
}
