import { existsSync } from "node:fs";
import { join } from "node:path";
import { proveDocumentsCode } from "../documents/prove-code.ts";
import { root } from "../setup/paths.mjs";
import { type Installed, installPacked } from "./install-packed.ts";
import { listPackages, type Package, twoAtATime } from "./list.ts";
import { npmInstall, run } from "./pack.ts";
import { provePageInstall } from "./page-install.ts";

/**
 * Packs every package as it is published and proves the tarballs: publint, attw (ESM only is our decision), and a bare
 * Node that imports each entry of them, installed, and runs each program. So is what a page installs and loads of them.
 * The code of the documents is compiled against them, and run.
 */
export async function provePackedPackages({ onAllNodes = false } = {}): Promise<void> {
	const installed = await installPacked();
	try {
		const nodes = [process.execPath, ...(onAllNodes ? await otherNodes(installed.project) : [])];
		await twoAtATime(listPackages(), (each) => prove(each, installed, nodes));
		await provePageInstall(installed.project);
		await proveDocumentsCode(installed.project, nodes);
	} finally {
		installed.remove();
	}
}

async function prove(each: Package, { project, tarball }: Installed, nodes: readonly string[]): Promise<void> {
	const { name, exports, publishConfig } = each.manifest;
	const folder = join(project, "node_modules", name);
	if (!existsSync(join(folder, "README.md"))) throw new Error(`${name} has no README.md.`);
	await run(join(root, "node_modules/.bin/publint"), ["--strict", tarball(each)], project);
	const entries = Object.keys(exports).map((entry) => entry.replace(/^\./, name));
	// A package of a program alone has nothing that could be imported.
	if (entries.length > 0)
		await run(join(root, "node_modules/.bin/attw"), ["--profile", "esm-only", "--no-color", tarball(each)], project);
	const imports = entries.map((entry) => `await import(${JSON.stringify(entry)});`).join("\n");
	for (const node of nodes) {
		await run(node, ["--input-type=module", "--eval", imports], project);
		for (const program of Object.values(publishConfig.bin ?? {}))
			await run(node, [join(folder, program), "--help"], project);
	}
	console.log(`${name}: ${entries.join(", ")}`);
}

/** Installs the Nodes that the packages promise to run on beside this one, and returns their programs. */
async function otherNodes(project: string): Promise<string[]> {
	const builds = process.platform === "darwin" ? "node-bin-darwin" : `node-${process.platform}`;
	const majors = [22, 24];
	const named = majors.map((major) => `node${major}@npm:${builds}-${process.arch}@${major}`);
	await npmInstall(project, ...named);
	return majors.map((major) => join(project, `node_modules/node${major}/bin/node`));
}
