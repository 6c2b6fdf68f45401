import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

/**
 * Bundles the player as a page's bundler does, and returns what a file of it weighs, minified and gzipped, in bytes.
 */
async function weigh(lazyParts: "apart" | "inside"): Promise<number> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("../src/player.ts", import.meta.url))],
		bundle: true,
		minify: true,
		format: "esm",
		target: "es2023",
		write: false,
		external: ["hls.js"],
		plugins:
			lazyParts === "inside"
				? []
				: [
						{
							name: "lazy parts apart",
							setup({ onResolve }) {
								onResolve({ filter: /./ }, ({ kind, path }) =>
									kind === "dynamic-import" ? { path, external: true } : undefined,
								);
							},
						},
					],
	});
	return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}

it("weighs at most 6 kB where a page loads it, and 9.9 kB with what it loads later, both without hls.js", async () => {
	const [first, all] = await Promise.all([weigh("apart"), weigh("inside")]);
	expect(first).toBeGreaterThan(3000);
	expect(first).toBeLessThanOrEqual(6000);
	expect(all).toBeLessThanOrEqual(9900);
});
