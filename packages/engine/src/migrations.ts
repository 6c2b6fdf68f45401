import { readdir, readFile } from "node:fs/promises";
import type { Migration } from "./ports/index.ts";

/**
 * Returns the migrations of the schema in order. They are the SQL files of this package.
 *
 * @example
 * ```ts
 * import { readMigrations } from "@reelmill/engine";
 *
 * const [first] = await readMigrations();
 * console.log(first?.name); // => 0001-foundation
 * ```
 */
export async function readMigrations(): Promise<Migration[]> {
	const directory = new URL("../migrations/", import.meta.url);
	const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
	return Promise.all(
		names.map(async (name) => ({
			name: name.replace(/\.sql$/, ""),
			text: await readFile(new URL(name, directory), "utf8"),
		})),
	);
}
