import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import configurations from "../../tsup.config.ts";
import { compressPages } from "../console/compress.ts";
import { buildConsolePage } from "../console/page.mjs";
import { clearBuilt, fingerprintOfPackages, markBuilt } from "./built.ts";
import { bundleDeclarations } from "./declarations.ts";
import { listPackages } from "./list.ts";
import { writePlainTypes } from "./plain-types.ts";

/**
 * Builds every package into its `dist/`: `<entry>.js` and `.d.ts` of each entry of `exports` and `bin`. The check of
 * types must have run before: it makes the declarations. Rejects with what is wrong if a package does not build.
 */
export async function buildPackages(): Promise<void> {
	const packages = listPackages();
	const sources = fingerprintOfPackages();
	clearBuilt();
	for (const { folder } of packages) removeBuilt(join(folder, "dist"));
	await Promise.all([
		buildConsolePage().then(compressPages),
		...configurations.map((each) => build(each)),
		bundleDeclarations(packages).then(writePlainTypes),
	]);
	markBuilt(sources);
	console.log(`${packages.length} packages built`);
}

/** Removes what an earlier build left, but for the console's page, which tests may be using. */
function removeBuilt(folder: string): void {
	if (!existsSync(folder)) return;
	for (const name of readdirSync(folder))
		if (!name.startsWith("page")) rmSync(join(folder, name), { recursive: true, force: true });
}
