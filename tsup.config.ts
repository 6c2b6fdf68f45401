import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsup";

type Manifest = { name: string; exports: Record<string, { default: string }> };

/** One build for every package: run in the package's folder, it makes `dist/<entry>.js` and `.d.ts` from each entry of `exports`. */
export default defineConfig(() => {
	const manifest: Manifest = JSON.parse(readFileSync(join(process.cwd(), "package.json"), "utf8"));
	const entries = Object.values(manifest.exports).map(({ default: source }) => [source.replace(/^\.\/src\/(.*)\.ts$/, "$1"), source] as const);
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
