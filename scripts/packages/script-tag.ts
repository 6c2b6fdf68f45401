import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../setup/paths.mjs";

/**
 * Writes `elements.js` into a folder: the elements with all that they stand on, for a page that has no bundler. hls.js
 * and the languages are files beside it, which it loads when they are needed.
 */
export async function bundleForScriptTag(folder: string): Promise<void> {
	await build({
		entryPoints: { elements: join(root, "packages/elements/src/index.ts") },
		outdir: folder,
		bundle: true,
		splitting: true,
		chunkNames: "elements/[name]-[hash]",
		format: "esm",
		target: "es2022",
		platform: "browser",
		minify: true,
		legalComments: "linked",
		tsconfig: join(root, "tsconfig.base.json"),
	});
}
