import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dependenciesOn, npmInstall, pack } from "../packages/pack.ts";
import { root } from "../setup/paths.mjs";

const example = join(root, "examples/nextjs");
const packed = ["contracts", "client", "webhooks", "node", "browser", "elements", "react"].map(
	(name) => `@reelmill/${name}`,
);

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
	const manifest = JSON.parse(readFileSync(join(example, "package.json"), "utf8"));
	Object.assign(manifest.dependencies, dependenciesOn(await pack(packed, join(folder, "packages"))));
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, "\t"));
	await npmInstall(folder);
	return folder;
}
