import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemAffectsResolutionKind } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { proveDocumentsCode } from "../documents/prove-code.ts";
import { listPackages, type Package } from "../packages/list.ts";
import { tarballOf } from "../packages/pack.ts";
import { twoAtATime } from "../programs/two-at-a-time.ts";
import { run } from "../setup/spawn.mjs";
import { proveCommonJs } from "./commonjs.ts";
import { type Installed, installPacked } from "./install.ts";
import { installNodes, nodeIn } from "./nodes.ts";
import { provePageInstall } from "./page-install.ts";

/** The Nodes that the packages promise to run on beside this one. */
const otherNodes = ["22", "24"];

/**
 * Packs every package as it is published and proves the tarballs: publint, attw (ESM only is our decision), and a bare
 * Node that imports each entry of them, installed, and runs each program. So is what a page installs and loads of them.
 * The code of the documents is compiled against them, and run, and a program that compiles to CommonJS. The folder `keepIn`
 * gets the tarballs if all that is so.
 */
export async function provePackedPackages({
	onAllNodes = false,
	keepIn,
}: {
	readonly onAllNodes?: boolean;
	readonly keepIn?: string | undefined;
} = {}): Promise<void> {
	const installed = await installPacked();
	try {
		const others = onAllNodes ? otherNodes : [];
		await installNodes(installed.project, ...others);
		const nodes = [process.execPath, ...others.map((version) => nodeIn(installed.project, version))];
		await twoAtATime(listPackages(), (each) => prove(each, installed, nodes));
		await provePageInstall(installed.project);
		await proveDocumentsCode(installed.project, nodes);
		await proveCommonJs(installed.project, nodes);
		if (keepIn !== undefined)
			for (const each of listPackages()) cpSync(installed.tarball(each), join(keepIn, tarballOf(each)));
	} finally {
		installed.remove();
	}
}

async function prove(each: Package, { project, tarball }: Installed, nodes: readonly string[]): Promise<void> {
	const { name, exports, publishConfig } = each.manifest;
	const folder = join(project, "node_modules", name);
	if (!existsSync(join(folder, "README.md"))) throw new Error(`${name} has no README.md.`);
	const entries = Object.keys(exports).map((entry) => entry.replace(/^\./, name));
	const wrong = await problemsOf(readFileSync(tarball(each)), entries.length > 0);
	if (wrong.length > 0) throw new Error(`${name}:\n${wrong.join("\n")}`);
	const imports = entries.map((entry) => `await import(${JSON.stringify(entry)});`).join("\n");
	for (const node of nodes) {
		await run(node, ["--input-type=module", "--eval", imports], project);
		for (const program of Object.values(publishConfig.bin ?? {}))
			await run(node, [join(folder, program), "--help"], project);
	}
	console.log(`${name}: ${entries.join(", ")}`);
}

/** What publint and attw find wrong with a tarball; by their functions, since each of their programs loads a compiler. */
async function problemsOf(tarball: Buffer<ArrayBuffer>, hasEntries: boolean): Promise<string[]> {
	const bytes = new Uint8Array(tarball);
	const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
	const published = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
	// A package of a program alone has nothing that could be imported.
	const analysis = hasEntries ? await checkPackage(createPackageFromTarballData(bytes)) : undefined;
	if (!analysis?.types) return published;
	// What attw calls the profile "esm-only".
	const resolutions = ["node16-esm", "bundler"] as const;
	const typed = analysis.problems.filter((problem) =>
		resolutions.some((resolution) => problemAffectsResolutionKind(problem, resolution, analysis)),
	);
	return [...published, ...typed.map(({ kind, ...where }) => `${kind} ${JSON.stringify(where)}`)];
}
