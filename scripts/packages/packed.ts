import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pnpm } from "../setup/dependencies.mjs";
import { root } from "../setup/paths.mjs";
import { capture } from "../spawn.mjs";
import { listPackages, type Package, twoAtATime } from "./list.ts";
import { provePageInstall } from "./page-install.ts";

/**
 * Packs every built package as it would be published and proves the tarballs: publint, attw (ESM only is our decision),
 * a bare Node that imports each entry from them and runs each program, and what a page installs and loads of them.
 */
export async function provePackedPackages(): Promise<void> {
	const directory = mkdtempSync(join(tmpdir(), "reelmill-packed-"));
	try {
		await run("npx", [
			"--yes",
			pnpm,
			"--recursive",
			"--filter",
			"./packages/*",
			"pack",
			"--pack-destination",
			directory,
		]);
		const packages = listPackages();
		for (const each of packages) await unpack(each, directory);
		await twoAtATime(packages, (each) => prove(each, directory));
		await provePageInstall(directory);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

const tarball = ({ manifest }: Package, directory: string) =>
	join(directory, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);

async function prove(each: Package, directory: string): Promise<void> {
	const file = tarball(each, directory);
	if (!existsSync(join(directory, "node_modules", each.manifest.name, "README.md")))
		throw new Error(`${each.manifest.name} has no README.md.`);
	await run(join(root, "node_modules/.bin/publint"), ["--strict", file]);
	await run(join(root, "node_modules/.bin/attw"), ["--profile", "esm-only", "--no-color", file]);
	const entries = Object.keys(each.manifest.exports).map((entry) => entry.replace(/^\./, each.manifest.name));
	await run(
		process.execPath,
		["--input-type=module", "--eval", entries.map((entry) => `await import(${JSON.stringify(entry)});`).join("\n")],
		directory,
	);
	for (const program of Object.values(each.manifest.publishConfig.bin ?? {})) {
		await run(process.execPath, [join(directory, "node_modules", each.manifest.name, program), "--help"], directory);
	}
	console.log(`${each.manifest.name}: ${entries.join(", ")}`);
}

/** Lays a tarball out as npm would, with links to the dependencies that the workspace has installed. */
async function unpack(each: Package, directory: string): Promise<void> {
	const folder = join(directory, "node_modules", each.manifest.name);
	mkdirSync(folder, { recursive: true });
	await run("tar", ["-xzf", tarball(each, directory), "-C", folder, "--strip-components=1"]);
	for (const name of Object.keys({ ...each.manifest.dependencies, ...each.manifest.peerDependencies })) {
		if (isOurs(name)) continue;
		const link = join(folder, "node_modules", name);
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(realpathSync(join(each.folder, "node_modules", name)), link);
	}
}

const isOurs = (name: string) => listPackages().some(({ manifest }) => manifest.name === name);

async function run(program: string, args: string[], directory = root): Promise<void> {
	const { code, output } = await capture(program, args, { directory });
	if (code !== 0) throw new Error(`${program} ${args.join(" ")}\n${output.trim()}`);
}
