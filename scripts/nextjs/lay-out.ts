import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../packages/install-packed.ts";
import { pnpm } from "../setup/dependencies.mjs";
import { root } from "../setup/paths.mjs";

const example = join(root, "examples/nextjs");
const packed = ["contracts", "client", "webhooks", "node", "browser", "elements", "react"];

/**
 * Copies the example to a folder of its own and installs what it needs there by npm, with the packages of this tree as
 * they are published. Returns that folder. It stays, so that the next call has less to do.
 */
export async function layOutExample(): Promise<string> {
	const folder = join(root, "dist/nextjs");
	for (const name of ["app", "lib", "packages", "package-lock.json", "node_modules/@reelmill", ".next"])
		rmSync(join(folder, name), { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	cpSync(example, folder, { recursive: true, filter: (source) => !/\/(?:node_modules|\.next)$/.test(source) });
	const filters = packed.flatMap((name) => ["--filter", `./packages/${name}`]);
	const tarballs = join(folder, "packages");
	await run("npx", ["--yes", pnpm, "--recursive", ...filters, "pack", "--pack-destination", tarballs], root);
	const manifest = JSON.parse(readFileSync(join(example, "package.json"), "utf8"));
	for (const tarball of readdirSync(tarballs)) manifest.dependencies[nameOf(tarball)] = `file:packages/${tarball}`;
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, "\t"));
	await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], folder);
	return folder;
}

/** The package in a tarball: that of `reelmill-node-0.1.0.tgz` is `@reelmill/node`. */
const nameOf = (tarball: string): string => tarball.replace(/^reelmill-(\w+)-.*$/, "@reelmill/$1");
