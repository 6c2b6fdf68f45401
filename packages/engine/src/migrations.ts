import { readdir, readFile } from "node:fs/promises";
import type { Migration } from "./ports/index.ts";

const directory = new URL("../migrations/", import.meta.url);
/** A line of a migration that stands for another file, by psql's command. */
const include = /^\\ir (\S+)\n/m;
/** A function's present text may name what only a later migration adds. */
const unchecked = "set local check_function_bodies = off;\n";

/**
 * Returns the migrations of the schema in order. They are SQL files of this package; the functions and first tables that
 * they name stand in files of their own.
 *
 * @example
 * ```ts
 * import { readMigrations } from "@reelmill/engine";
 *
 * const [first] = await readMigrations();
 * console.log(first?.name); // => 0001-schema
 * ```
 */
export async function readMigrations(): Promise<Migration[]> {
	return Promise.all((await readMigrationFiles()).map(async ({ name, text }) => ({ name, text: await whole(text) })));
}

/** Returns the migrations as they are written, in order: a line `\ir FILE` stands for a file. */
export async function readMigrationFiles(): Promise<Migration[]> {
	const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
	return Promise.all(
		names.map(async (name) => ({
			name: name.replace(/\.sql$/, ""),
			text: await readFile(new URL(name, directory), "utf8"),
		})),
	);
}

async function whole(text: string): Promise<string> {
	// Every second part is the path of a file.
	const parts = text.split(include);
	const texts = parts.map(async (part, at) =>
		at % 2 === 0 ? part : `${unchecked}${await readFile(new URL(part, directory), "utf8")}`,
	);
	return (await Promise.all(texts)).join("");
}
