import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installTree, npmInstall, pack } from "../packages/pack.ts";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";

/**
 * Packs the packages of a commit in a work tree of it, installs the tarballs by npm, and returns the program that
 * starts its server. What was installed once is kept in `dist/upgrade`.
 */
export async function packServer(commit: string, say: (text: string) => void): Promise<string> {
	const directory = join(root, "dist/upgrade", commit.slice(0, 12));
	const [tree, tarballs, project] = [join(directory, "tree"), join(directory, "tarballs"), join(directory, "project")];
	const program = join(project, "node_modules/@reelmill/server/dist/main.js");
	if (existsSync(program)) return program;
	await remove(tree, directory);
	await mkdir(project, { recursive: true });
	say(`Packing the server of ${commit.slice(0, 12)}, which takes some minutes the first time...`);
	try {
		await run("git", ["worktree", "add", "--detach", tree, commit], root);
		await installTree(tree);
		const packed = await pack(["@reelmill/server..."], tarballs, tree);
		await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
		await npmInstall(project, ...packed);
		return program;
	} finally {
		await remove(tree);
	}
}

async function remove(...folders: string[]): Promise<void> {
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
	await run("git", ["worktree", "prune"], root);
}
