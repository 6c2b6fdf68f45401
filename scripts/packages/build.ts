import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { buildConsolePage } from "../console/page.mjs";
import { root } from "../setup/paths.mjs";
import { clearBuilt, fingerprintOfPackages, markBuilt } from "./built.ts";
import { bundleDeclarations } from "./declarations.ts";
import { entriesOf, listPackages, type Package } from "./list.ts";
import { writePlainTypes } from "./plain-types.ts";
import { bundleForScriptTag } from "./script-tag.ts";

/**
 * Builds every package into its `dist/`: `<entry>.js` and `.d.ts` of each entry of `exports` and `bin`. The check of
 * types must have run before: it makes the declarations. Rejects with what is wrong if a package does not build.
 */
export async function buildPackages(): Promise<void> {
	const packages = listPackages();
	const sources = fingerprintOfPackages();
	clearBuilt();
	for (const { folder } of packages) removeBuilt(join(folder, "dist"));
	await Promise.all(packages.map(bundle));
	await bundleForScriptTag(join(root, "packages/elements/dist"));
	await buildConsolePage();
	await bundleDeclarations(packages);
	await writePlainTypes();
	markBuilt(sources);
	console.log(`${packages.length} packages built`);
}

/** Removes what an earlier build left, but for the console's page, which tests may be using. */
function removeBuilt(folder: string): void {
	if (!existsSync(folder)) return;
	for (const name of readdirSync(folder))
		if (!name.startsWith("page")) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * What stays an import. media-chrome goes into the elements: it would install React, for components that they have not.
 */
const externalOf = ({ name, dependencies = {} }: Package["manifest"]) =>
	name === "@reelmill/elements" ? { external: Object.keys(dependencies) } : { packages: "external" as const };

/** The packages that run in a page. */
const inPages = new Set(["@reelmill/browser", "@reelmill/elements", "@reelmill/react"]);

async function bundle({ folder, manifest }: Package): Promise<void> {
	await build({
		absWorkingDir: folder,
		entryPoints: Object.fromEntries(entriesOf(manifest).map(({ entry, source }) => [entry, source])),
		outdir: "dist",
		bundle: true,
		splitting: true,
		...externalOf(manifest),
		format: "esm",
		target: "es2023",
		platform: inPages.has(manifest.name) ? "browser" : "node",
		tsconfig: join(root, "tsconfig.base.json"),
		sourcemap: true,
	});
}
