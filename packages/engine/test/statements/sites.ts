import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const sources = join(import.meta.dirname, "../../src");

/** Where the engine's sources send a statement: the places, such as `uploads/leases.ts:105`, by the line's first words. */
export async function sitesOfStatements(): Promise<ReadonlyMap<string, string>> {
	const sites = new Map<string, string>();
	for (const path of await readdir(sources, { recursive: true })) {
		if (!path.endsWith(".ts") || path.startsWith("ports/")) continue;
		const text = await readFile(join(sources, path), "utf8");
		for (const { index, 0: found } of text.matchAll(/\bdatabase\s*\.query\b/g)) {
			const line = text.slice(0, index + found.length).split("\n").length;
			sites.set(`${path}:${line}`, text.slice(index).replaceAll(/\s+/g, " ").slice(0, 120));
		}
	}
	return sites;
}
