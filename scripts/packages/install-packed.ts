import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pnpm } from "../setup/dependencies.mjs";
import { root } from "../setup/paths.mjs";
import { capture } from "../spawn.mjs";
import { listPackages, type Package } from "./list.ts";

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
		// What this repository has installed is in pnpm's store.
		const store = `--config.store-dir=${storeOf(root)}`;
		await run(
			"npx",
			["--yes", pnpm, "install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts", store],
			copy,
		);
		const filters = listPackages().flatMap(({ manifest }) => ["--filter", manifest.name]);
		await run("npx", ["--yes", pnpm, "--recursive", ...filters, "pack", "--pack-destination", tarballs], copy);
		const tarball = ({ manifest }: Package) =>
			join(tarballs, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
		mkdirSync(project);
		writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
		const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
		await run("npm", ["install", ...quiet, ...listPackages().map(tarball)], project);
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

const storeOf = (folder: string): string => {
	const { storeDir } = JSON.parse(readFileSync(join(folder, "node_modules/.modules.yaml"), "utf8"));
	return storeDir;
};

/** Runs a program to its end and returns what it printed; rejects with that if it fails. */
export async function run(
	program: string,
	args: readonly string[],
	directory: string,
	environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
	const { code, output } = await capture(program, [...args], { directory, environment });
	if (code !== 0) throw new Error(`${program} ${args.join(" ")}\n${output.trim()}`);
	return output;
}
