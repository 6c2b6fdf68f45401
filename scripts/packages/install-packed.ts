import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { listPackages, type Package } from "./list.ts";
import { installTree, npmInstall, pack, published, run } from "./pack.ts";

/** The packages as a user gets them. */
export type Installed = {
	/** A project of a user's, with all packages in its `node_modules`. */
	readonly project: string;
	/** Returns the tarball of a package. */
	tarball(of: Package): string;
	/** Removes all of it. */
	remove(): void;
};

/**
 * Packs every package in a clean copy of this repository, where nothing is built, and installs the tarballs by npm into
 * a project of their own.
 */
export async function installPacked(): Promise<Installed> {
	const directory = mkdtempSync(join(tmpdir(), "reelmill-packed-"));
	const remove = () => rmSync(directory, { recursive: true, force: true });
	try {
		const [copy, tarballs, project] = ["copy", "tarballs", "project"].map((name) => join(directory, name)) as [
			string,
			string,
			string,
		];
		await copyFiles(copy);
		await installTree(copy);
		await pack(published(), tarballs, copy);
		const tarball = ({ manifest }: Package) =>
			join(tarballs, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
		mkdirSync(project);
		writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
		await npmInstall(project, ...listPackages().map(tarball));
		rmSync(copy, { recursive: true });
		return { project, tarball, remove };
	} catch (error) {
		remove();
		throw error;
	}
}

/** Copies what a commit of all that is here would hold. */
async function copyFiles(copy: string): Promise<void> {
	const listed = await run(
		"git",
		["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
		root,
	);
	const removed = new Set((await run("git", ["ls-files", "-z", "--deleted"], root)).split("\0"));
	for (const file of listed.split("\0"))
		if (file !== "" && !removed.has(file)) cpSync(join(root, file), join(copy, file));
}
