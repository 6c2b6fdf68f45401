import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dependenciesOn, npmInstall, pack } from "../packages/pack.ts";
import { root } from "../setup/paths.mjs";

/**
 * Copies an example that is no workspace to `dist/<name>`, and installs there what it needs, with packages of this tree
 * as they are published. The folder stays, so that the next call has less to do. Returns its path.
 */
export async function layOutExample(name: string, example: string, packages: readonly string[]): Promise<string> {
	const folder = join(root, "dist", name);
	const earlier = existsSync(folder) ? readdirSync(folder).filter((each) => each !== "node_modules") : [];
	for (const each of [...earlier, "node_modules/@reelmill"])
		rmSync(join(folder, each), { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	cpSync(example, folder, { recursive: true, filter: (source) => !/\/(?:node_modules|\.next|test)$/.test(source) });
	const manifest = JSON.parse(readFileSync(join(example, "package.json"), "utf8"));
	const names = packages.map((each) => `@reelmill/${each}`);
	Object.assign(manifest.dependencies, dependenciesOn(await pack(names, join(folder, "packages"))));
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, "\t"));
	await npmInstall(folder);
	return folder;
}
