import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pnpm } from "../setup/dependencies.mjs";
import { root } from "../setup/paths.mjs";
import { capture } from "../spawn.mjs";
import { programs } from "./programs.ts";

const here = join(root, "scripts/runtimes");
const packed = ["contracts", "client", "webhooks", "node"];

/** Runs a program and returns what it printed. Rejects with that if the program fails. */
export async function run(
	program: string,
	args: readonly string[],
	options: { directory?: string; environment?: NodeJS.ProcessEnv } = {},
): Promise<string> {
	const { code, output } = await capture(program, [...args], options);
	if (code !== 0) throw new Error(`${program} ${args.join(" ")}\n${output.trim()}`);
	return output;
}

const npm = (directory: string, ...args: string[]) => run("npm", [...args, "--no-audit", "--no-fund"], { directory });

/**
 * Installs the runtimes into a folder that stays until their versions change; about 600 MB. Returns that folder's
 * `node_modules`.
 */
export async function installRuntimes(): Promise<string> {
	const folder = join(root, "node_modules/.reelmill/runtimes");
	const wanted = await readFile(join(here, "package.json"), "utf8");
	const stamp = join(folder, "installed.json");
	if ((await readFile(stamp, "utf8").catch(() => "")) !== wanted) {
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, "package.json"), wanted);
		await npm(folder, "install");
		await writeFile(stamp, wanted);
	}
	return join(folder, "node_modules");
}

/**
 * Packs the packages, which builds them, and installs them with npm, as a user does, beside the programs that use them.
 */
export async function layOutPackages(): Promise<{ folder: string; remove: () => Promise<void> }> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-runtimes-"));
	const filters = packed.flatMap((name) => ["--filter", `./packages/${name}`]);
	await run("npx", ["--yes", pnpm, "--recursive", ...filters, "pack", "--pack-destination", folder]);
	const tarballs = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
	const user = {
		name: "user",
		private: true,
		dependencies: Object.fromEntries(tarballs.map((name) => [nameOf(name), `file:${name}`])),
	};
	for (const [file, text] of Object.entries({ ...programs, "package.json": JSON.stringify(user) })) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		await writeFile(join(folder, file), text);
	}
	await copyFile(join(here, "scenario.mjs"), join(folder, "scenario.mjs"));
	await npm(folder, "install");
	return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The package in a tarball: that of `reelmill-node-0.1.0.tgz` is `@reelmill/node`. */
const nameOf = (tarball: string): string => tarball.replace(/^reelmill-(\w+)-.*$/, "@reelmill/$1");
