import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pnpm } from "../setup/dependencies.mjs";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";
import { listPackages, type Package } from "./list.ts";

/** Installs packages, or what a folder's manifest names, by npm as a user does. */
export const npmInstall = (folder: string, ...what: string[]): Promise<string> =>
	run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...what], folder);

/** Installs a copy of this repository from what pnpm has in its store for the repository itself. */
export async function installTree(tree: string): Promise<void> {
	const { storeDir } = JSON.parse(readFileSync(join(root, "node_modules/.modules.yaml"), "utf8"));
	const how = ["--frozen-lockfile", "--prefer-offline", "--ignore-scripts", `--config.store-dir=${storeDir}`];
	await run("npx", ["--yes", pnpm, "install", ...how], tree);
}

/** The name of all published packages. */
export const published = (): string[] => listPackages().map(({ manifest }) => manifest.name);

/** Packs packages of a tree into a folder, which builds them, and returns the paths of the tarballs. */
export async function pack(names: readonly string[], into: string, tree: string = root): Promise<string[]> {
	const filters = names.flatMap((name) => ["--filter", name]);
	await run("npx", ["--yes", pnpm, "--recursive", ...filters, "pack", "--pack-destination", into], tree);
	return readdirSync(into)
		.filter((name) => name.endsWith(".tgz"))
		.map((name) => join(into, name));
}

/** The file name that pnpm and npm give a package's tarball. */
export const tarballOf = ({ manifest: { name, version } }: Package): string =>
	`${name.replace("@", "").replace("/", "-")}-${version}.tgz`;

/** The dependencies that a user's manifest has for these tarballs: that of `reelmill-node-0.1.0.tgz` is `@reelmill/node`. */
export const dependenciesOn = (tarballs: readonly string[]): Record<string, string> =>
	Object.fromEntries(
		tarballs.map((path) => [path.replace(/^.*\/reelmill-([a-z-]+)-\d.*$/, "@reelmill/$1"), `file:${path}`]),
	);
