import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listPackages } from "../packages/list.ts";
import { root } from "../setup/paths.mjs";

/** What an image starts. Everything that they depend on goes with them. */
const programs = ["@reelmill/server", "@reelmill/transcoder"];

/** What runs nothing: types, maps to sources, texts for people, the sources and other builds of dependencies. */
const unneeded = [
	"node_modules/**/*.{d.ts,d.mts,d.cts,map,md,markdown,a}",
	"node_modules/{@aws-sdk,@smithy,@aws}/*/dist-{types,es}",
	"node_modules/zod/src",
];

type Manifest = {
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/**
 * Copies what the programs run into `folder`, as npm would install it, and this Node. The packages must be built, and
 * their dependencies installed flat.
 */
function layOut(folder: string): void {
	const packages = new Map(listPackages().map((each) => [each.manifest.name, each]));
	const wanted = new Set(programs);
	for (const name of wanted) {
		const own = packages.get(name);
		const target = join(folder, "node_modules", name);
		mkdirSync(target, { recursive: true });
		if (own === undefined)
			cpSync(join(root, "node_modules", name), target, { recursive: true, verbatimSymlinks: true });
		else {
			for (const part of own.manifest.files) copy(join(own.folder, part), join(target, part));
			const { publishConfig, ...rest } = own.manifest;
			writeFileSync(join(target, "package.json"), `${JSON.stringify({ ...rest, ...publishConfig })}\n`);
		}
		const manifest: Manifest = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
		for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
			if (isInstalled(dependency) || packages.has(dependency)) wanted.add(dependency);
	}
	mkdirSync(join(folder, "bin"));
	cpSync(process.execPath, join(folder, "bin/node"));
	for (const found of globSync(unneeded, { cwd: folder }))
		rmSync(join(folder, found), { recursive: true, force: true });
}

/** Optional dependencies for other systems are not. */
const isInstalled = (name: string): boolean => existsSync(join(root, "node_modules", name));

function copy(from: string, to: string): void {
	if (existsSync(from)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("Name the folder to lay the programs out in.");
layOut(target);
