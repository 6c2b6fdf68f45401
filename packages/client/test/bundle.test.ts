import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("reaches a page without zod, and without more than ky", async () => {
	const entry = fileURLToPath(new URL("../src/index.ts", import.meta.url));
	const result = await build({
		entryPoints: [entry],
		bundle: true,
		minify: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		write: false,
		metafile: true,
	});
	const inputs = Object.keys(result.metafile.inputs);
	expect(inputs.filter((path) => /zod/.test(path))).toEqual([]);
	expect(
		inputs
			.filter((path) => path.includes("contracts"))
			.map((path) => path.split("/").at(-1))
			.sort(),
	).toEqual(["containers.ts", "errors.ts", "routes.ts"]);
	const bytes = gzipSync(result.outputFiles[0]?.contents ?? "").length;
	expect(bytes).toBeGreaterThan(1000);
	expect(bytes).toBeLessThan(15_500);
});
