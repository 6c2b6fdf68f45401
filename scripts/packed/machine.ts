import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { installNodes, nodeIn } from "./nodes.ts";
import { serveRegistry } from "./registry.ts";

/** A machine that has Node 22 in place of this repository's, and an empty cache of npm. */
export type Machine = {
	/** Makes a folder of it. */
	folder(name: string): string;
	/** Without what `npm run` adds and without this repository's programs. npm installs the packages as they are here. */
	readonly environment: NodeJS.ProcessEnv;
	/** Removes all of it. */
	close(): void;
};

/** Packs every package, installs Node 22 into a folder, and makes such a machine of them. */
export async function openMachine(): Promise<Machine> {
	const directory = mkdtempSync(join(tmpdir(), "reelmill-machine-"));
	const folder = (name: string): string => {
		mkdirSync(join(directory, name));
		return join(directory, name);
	};
	const registry = await serveRegistry(folder("tarballs"));
	const node = folder("node");
	await installNodes(node, "22");
	const path = (process.env.PATH ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
	return {
		folder,
		environment: {
			...withoutProject(process.env),
			PATH: [dirname(nodeIn(node, "22")), ...path].join(delimiter),
			npm_config_registry: registry.address,
			npm_config_cache: folder("cache"),
		},
		close() {
			registry.close();
			rmSync(directory, { recursive: true, force: true });
		},
	};
}

/** The environment without what `npm run` adds, which names this repository. */
const withoutProject = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(environment).filter(
			([name]) => !/^(?:npm_(?:package|lifecycle|command|execpath|node)|REELMILL_)/.test(name),
		),
	);
