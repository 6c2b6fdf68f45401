import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { dependenciesOn, npmInstall, pack } from "../../../../scripts/packages/pack.ts";

/** A tenant's project, in which the packed packages are installed by npm. */
export type Project = {
	readonly folder: string;
	/** The page and its service worker as the project's bundler makes them: the text of each file by its name. */
	readonly scripts: ReadonlyMap<string, string>;
	/** Imports an entry of a package as a back end of the project does. */
	load<Module>(entry: string): Promise<Module>;
	remove(): Promise<void>;
};

const packages = ["contracts", "client", "webhooks", "node", "browser", "elements"].map((name) => `@reelmill/${name}`);
const sources = [new URL("./page.ts", import.meta.url), new URL("./service-worker.ts", import.meta.url)];

/** Packs the packages and installs them, which builds them unless they are built already. */
export async function openProject(): Promise<Project> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-kinds-"));
	const dependencies = dependenciesOn(await pack(packages, folder));
	await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
	await npmInstall(folder);
	const entryPoints = sources.map(({ pathname }) => join(folder, basename(pathname)));
	for (const [index, entry] of entryPoints.entries()) await copyFile(sources[index] as URL, entry);
	const { outputFiles } = await build({
		entryPoints,
		outdir: "/",
		bundle: true,
		minify: true,
		splitting: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		write: false,
	});
	await writeFile(join(folder, "load.js"), "export const load = (entry) => import(entry);\n");
	const { load } = await import(join(folder, "load.js"));
	return {
		folder,
		scripts: new Map(outputFiles.map(({ path, text }) => [path, text])),
		load,
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
