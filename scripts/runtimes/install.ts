import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { dependenciesOn, npmInstall, pack } from "../packages/pack.ts";
import { installNodes } from "../packed/nodes.ts";
import { root } from "../setup/paths.mjs";
import { programs } from "./programs.ts";

/** The oldest Node that the packages promise to run on. */
export const oldestNode = "22.18.0";
const here = join(root, "scripts/runtimes");
const packed = ["contracts", "client", "webhooks", "node"].map((name) => `@reelmill/${name}`);

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
		await npmInstall(folder);
		await installNodes(folder, oldestNode);
		await writeFile(stamp, wanted);
	}
	return join(folder, "node_modules");
}

/** Packs the packages and installs them with npm, as a user does, beside the programs that use them. */
export async function layOutPackages(): Promise<{ folder: string; remove: () => Promise<void> }> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-runtimes-"));
	const user = { name: "user", private: true, dependencies: dependenciesOn(await pack(packed, folder)) };
	for (const [file, text] of Object.entries({ ...programs, "package.json": JSON.stringify(user) })) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		await writeFile(join(folder, file), text);
	}
	await copyFile(join(here, "scenario.mjs"), join(folder, "scenario.mjs"));
	await npmInstall(folder);
	return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
