import { join } from "node:path";
import { npmInstall } from "../packages/pack.ts";

/** Where {@link installNodes} puts the program of a version. */
export const nodeIn = (folder: string, version: string): string =>
	join(folder, `node_modules/node-${version}/bin/node`);

/** Installs these versions of Node into a folder by npm. */
export async function installNodes(folder: string, ...versions: readonly string[]): Promise<void> {
	if (versions.length === 0) return;
	const builds = `${process.platform === "darwin" ? "node-bin-darwin" : `node-${process.platform}`}-${process.arch}`;
	await npmInstall(folder, ...versions.map((version) => `node-${version}@npm:${builds}@${version}`));
}
