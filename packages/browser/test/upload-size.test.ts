import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { platformAliases } from "../../../scripts/packages/platform-aliases.ts";

it("reaches a page that uploads with at most 16.2 kB, and with nothing of tus-js-client's Node, storage or old browsers", async () => {
	const { outputFiles, metafile } = await build({
		entryPoints: [fileURLToPath(new URL("../src/upload.ts", import.meta.url))],
		bundle: true,
		splitting: true,
		outdir: "out",
		minify: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		write: false,
		metafile: true,
		// As the packages are built.
		alias: platformAliases,
	});
	const weigh = (isLater: boolean) =>
		outputFiles
			.filter(({ path }) => path.includes("media-facts") === isLater)
			.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
	expect(weigh(false)).toBeGreaterThan(10_000);
	expect(weigh(false)).toBeLessThanOrEqual(16_200);
	// What reads a film is loaded when an upload starts.
	expect(weigh(true)).toBeGreaterThan(30_000);
	expect(weigh(true)).toBeLessThanOrEqual(52_000);
	const inputs = Object.keys(metafile.inputs);
	expect(inputs.filter((path) => /\/(?:url-parse|js-base64)\//.test(path))).toEqual([]);
	const ofTus = inputs.flatMap((path) => path.split("/tus-js-client/")[1] ?? []);
	expect(ofTus.sort()).toEqual(
		["browser/httpStack", "error", "logger", "upload", "uuid"].map((name) => `lib/${name}.js`),
	);
});
