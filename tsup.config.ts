import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsup";

type Manifest = { name: string; exports: Record<string, { default: string }>; bin?: Record<string, string> };

/**
 * One build for every package: run in the package's folder, it makes `dist/<entry>.js` and `.d.ts` from each entry of
 * `exports` and `bin`.
 */
export default defineConfig(() => {
	const manifest: Manifest = JSON.parse(readFileSync(join(process.cwd(), "package.json"), "utf8"));
	const sources = [
		...Object.values(manifest.exports).map((entry) => entry.default),
		...Object.values(manifest.bin ?? {}),
	];
	const entries = sources.map((source) => [source.replace(/^\.\/src\/(.*)\.ts$/, "$1"), source] as const);
	return {
		entry: Object.fromEntries(entries),
		format: "esm",
		target: "es2023",
		platform: manifest.name === "@reelmill/browser" ? "browser" : "node",
		dts: { compilerOptions: { composite: false } },
		tsconfig: join(import.meta.dirname, "tsconfig.base.json"),
		sourcemap: true,
		clean: true,
		silent: true,
		outExtension: () => ({ js: ".js" }),
	};
});
