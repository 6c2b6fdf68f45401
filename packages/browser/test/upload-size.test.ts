import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("reaches a page that uploads with at most 18 kB, and with nothing of tus-js-client's Node or storage", async () => {
	const { outputFiles, metafile } = await build({
		entryPoints: [fileURLToPath(new URL("../src/upload.ts", import.meta.url))],
		bundle: true,
		minify: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		write: false,
		metafile: true,
	});
	const bytes = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
	expect(bytes).toBeGreaterThan(10_000);
	expect(bytes).toBeLessThanOrEqual(18_000);
	const ofTus = Object.keys(metafile.inputs).flatMap((path) => path.split("/tus-js-client/")[1] ?? []);
	expect(ofTus.sort()).toEqual(
		["browser/httpStack", "error", "logger", "upload", "uuid"].map((name) => `lib/${name}.js`),
	);
});
