import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findBase } from "../programs/branch-base.ts";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";

/** The texts of the engine's SQL files, by their path in the package. */
export type SqlFiles = ReadonlyMap<string, string>;

const engine = "packages/engine";
const git = (...args: string[]): Promise<string> => run("git", args, root);

/**
 * Returns what is wrong with the files beside those that have landed, which a database may be made of: only a function
 * may change, by a new migration that writes it anew, and keeps its signature.
 */
export function changesLanded(landed: SqlFiles, now: SqlFiles): string[] {
	const written = [...now]
		.filter(([path]) => path.startsWith("migrations/") && !landed.has(path))
		.map(([, text]) => text)
		.join("\n");
	return [...landed].flatMap(([path, before]) => {
		const text = now.get(path);
		const isFunction = path.startsWith("schema/functions/");
		// A migration drops it.
		if (text === undefined && isFunction) return [];
		if (text !== undefined && bare(text) === bare(before)) return [];
		if (!isFunction) return [`${path}: it has landed: a new migration must change what it made`];
		if (signature(text ?? "") !== signature(before))
			return [`${path}: its signature changed: give the new function another name, servers call this one`];
		return written.includes(`\\ir ../${path}\n`)
			? []
			: [`${path}: a new migration must write it, by "\\ir ../${path}"`];
	});
}

/** Returns a text without comments and the lines that stand for functions: these go if a later migration drops one. */
const bare = (text: string): string =>
	text
		.replace(/^\\ir .*$/gm, "")
		.replace(/--.*$/gm, "")
		.replace(/\s+/g, " ")
		.trim();

const signature = (text: string): string => /create or replace function (.*?) language /.exec(bare(text))?.[1] ?? text;

/** Returns what {@link changesLanded} finds beside this commit, and beside the commit that this branch began at. */
export async function changesLandedSince(release: string): Promise<string[]> {
	const base = await findBase();
	const commits = new Set([release, ...(base ? [(await git("merge-base", "HEAD", base)).trim()] : [])]);
	const paths = globSync("{migrations,schema}/**/*.sql", { cwd: join(root, engine) });
	const now = new Map(paths.map((path) => [path, readFileSync(join(root, engine, path), "utf8")]));
	const faults = await Promise.all([...commits].map(async (commit) => changesLanded(await filesAt(commit), now)));
	return [...new Set(faults.flat())];
}

async function filesAt(commit: string): Promise<SqlFiles> {
	const folders = ["migrations", "schema"].map((folder) => `${engine}/${folder}/`);
	const paths = (await git("ls-tree", "-r", "--name-only", commit, ...folders)).trim().split("\n");
	const read = async (path: string) => [relative(engine, path), await git("show", `${commit}:${path}`)] as const;
	return new Map(await Promise.all(paths.map(read)));
}
