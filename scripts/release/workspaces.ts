import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";

export type Workspace = {
	/** Its folder, from the root. */
	readonly folder: string;
	readonly manifest: {
		readonly name: string;
		readonly version: string;
		readonly private?: boolean;
		readonly scripts?: Readonly<Record<string, string>>;
	};
};

/** Lists every workspace below a root, published or not, as its `pnpm-workspace.yaml` says. */
export function listWorkspaces(root: string): Workspace[] {
	const { packages }: { packages: string[] } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"));
	const excluded = packages.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
	return globSync(
		packages.filter((pattern) => !pattern.startsWith("!")).map((pattern) => `${pattern}/package.json`),
		{ cwd: root, exclude: excluded.map((pattern) => `${pattern}/package.json`) },
	)
		.sort()
		.map((file) => ({ folder: dirname(file), manifest: JSON.parse(readFileSync(join(root, file), "utf8")) }));
}
