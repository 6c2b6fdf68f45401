import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installTree, npmInstall, pack } from "../packages/pack.ts";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";

type Manifest = {
	readonly name: string;
	readonly private?: boolean;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly publishConfig?: { readonly bin?: Readonly<Record<string, string>> };
};

const app = "apps/server";
const readManifest = async (folder: string): Promise<Manifest> =>
	JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

/**
 * Packs the packages of a commit in a work tree of it, installs the tarballs by npm, and returns the program that
 * starts its server. What was installed once is kept in `dist/upgrade`.
 */
export async function packServer(commit: string, say: (text: string) => void): Promise<string> {
	const directory = join(root, "dist/upgrade", commit.slice(0, 12));
	const [tree, tarballs, project] = [join(directory, "tree"), join(directory, "tarballs"), join(directory, "project")];
	const kept = join(directory, "program.txt");
	if (existsSync(kept)) return readFile(kept, "utf8");
	await remove(tree, directory);
	await mkdir(project, { recursive: true });
	say(`Packing the server of ${commit.slice(0, 12)}, which takes some minutes the first time...`);
	try {
		await run("git", ["worktree", "add", "--detach", tree, commit], root);
		await installTree(tree);
		const server = await readManifest(join(tree, app));
		const packed = await pack([server.private ? `${server.name}^...` : `${server.name}...`], tarballs, tree);
		const others = Object.entries(server.dependencies ?? {}).filter(([, range]) => !range.startsWith("workspace:"));
		await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
		await npmInstall(project, ...packed, ...others.map((other) => other.join("@")));
		const program = await programOf(server, tree, project);
		await writeFile(kept, program);
		return program;
	} finally {
		await remove(tree);
	}
}

/** A server that isn't published is taken from its sources; the packages under it are the packed ones. */
async function programOf(server: Manifest, tree: string, project: string): Promise<string> {
	const [bin] = Object.values(server.publishConfig?.bin ?? {});
	if (!server.private && bin !== undefined) return join(project, "node_modules", server.name, bin);
	for (const part of ["src", "package.json"])
		await cp(join(tree, app, part), join(project, app, part), { recursive: true });
	return join(project, app, "src/main.ts");
}

async function remove(...folders: string[]): Promise<void> {
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
	await run("git", ["worktree", "prune"], root);
}
