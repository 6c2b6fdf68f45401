import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { root } from "../setup/paths.mjs";
import { entriesOf, type Package } from "./list.ts";

/** Where the check of types, `tsc -p .`, leaves the declarations of each source file. */
const declarations = join(root, "dist/declarations");

/**
 * Writes `dist/<entry>.d.ts` of all packages at once, from what the compiler declared of each source: one that compiles
 * a package by itself reads what it stands on anew, and takes four seconds for each.
 */
export async function bundleDeclarations(packages: readonly Package[]): Promise<void> {
	const input = packages.flatMap((each) =>
		entriesOf(each.manifest).map(({ entry, source }) => [
			join(each.path, "dist", entry),
			join(declarations, each.path, source.replace(/\.ts$/, ".d.ts")),
		]),
	);
	const bundle = await rollup({
		input: Object.fromEntries(input),
		// What a package imports of another one stays an import.
		external: (imported) => /^[^./]/.test(imported),
		plugins: [dts({ tsconfig: join(root, "tsconfig.base.json") })],
		onLog(_level, { code, message }) {
			// A program exports nothing.
			if (code !== "EMPTY_BUNDLE") throw new Error(message);
		},
	});
	await bundle.write({
		dir: root,
		format: "es",
		entryFileNames: "[name].d.ts",
		chunkFileNames: ({ name, moduleIds: [path = ""] }) =>
			join(packageOf(path), `dist/${name.replace(/\.d$/, "")}-[hash].d.ts`),
	});
	await bundle.close();
}

/** The folder, such as `packages/client`, whose source a declaration was made of. */
const packageOf = (path: string): string => path.slice(join(declarations, "/").length).split("/", 2).join("/");
