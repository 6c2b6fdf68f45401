import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

// What `node scripts/run.mjs runtimes` shows on the runtimes themselves is held here in a second, by what they are given.
it.each(["index", "frameworks/next", "frameworks/hono"])(
	"bundles %s for the edge without a module of Node's",
	async (entry) => {
		const { metafile, warnings } = await build({
			entryPoints: [fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url))],
			bundle: true,
			format: "esm",
			platform: "browser",
			conditions: ["edge-light", "workerd", "worker", "browser"],
			write: false,
			metafile: true,
		});
		expect(warnings).toEqual([]);
		const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
		expect(outside).toEqual([]);
		expect(Object.keys(metafile.inputs).filter((path) => path.includes("zod"))).toEqual([]);
	},
);
