import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { workspaceEntries } from "../test/sources.mjs";

type Entry = { readonly types: string; readonly default: string };
export type Package = {
	/** Its folder from the repository's root, such as `packages/client`. */
	readonly path: string;
	readonly folder: string;
	readonly manifest: {
		readonly name: string;
		readonly version: string;
		readonly private?: boolean;
		readonly files: readonly string[];
		readonly bin?: Record<string, string>;
		readonly exports: Record<string, Entry>;
		readonly publishConfig: { readonly exports: Record<string, Entry>; readonly bin?: Record<string, string> };
		readonly dependencies?: Record<string, string>;
		readonly peerDependencies?: Record<string, string>;
	};
};

/** Every publishable package of a tree (default: this one), the apps first, by name. */
export function listPackages(tree: string = root): Package[] {
	return ["apps", "packages"]
		.flatMap((parent) =>
			readdirSync(join(tree, parent), { withFileTypes: true })
				.filter((entry) => entry.isDirectory())
				.map(({ name }) => `${parent}/${name}`)
				.sort(),
		)
		.map((path) => ({ path, folder: join(tree, path) }))
		.map((each) => ({ ...each, manifest: JSON.parse(readFileSync(join(each.folder, "package.json"), "utf8")) }))
		.filter(({ manifest }) => manifest.private !== true);
}

/** The sources that a package is built from, `./src/x.ts`, each with the name of what is built, `x`. */
export const entriesOf = ({ exports, bin = {} }: Package["manifest"]): { entry: string; source: string }[] =>
	[...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)].map((source) => ({
		entry: source.replace(/^\.\/src\/(.*)\.ts$/, "$1"),
		source,
	}));

/** Maps each entry point, such as `@reelmill/client/transfer`, to its source file. */
export const entryPoints = (): Map<string, string> =>
	new Map([...workspaceEntries()].map(([entry, file]) => [entry, join(root, file)]));
