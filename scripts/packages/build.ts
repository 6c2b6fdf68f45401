import { join, relative } from "node:path";
import { root } from "../setup/paths.mjs";
import { capture } from "../spawn.mjs";
import { listPackages, type Package, twoAtATime } from "./list.ts";

/** Builds every package into its `dist/`; rejects with what tsup said where one fails. */
export const buildPackages = (): Promise<void> => twoAtATime(listPackages(), build);

async function build({ folder, manifest }: Package): Promise<void> {
	const started = performance.now();
	proveEntries(manifest);
	const { code, output } = await capture(
		join(root, "node_modules/.bin/tsup"),
		["--config", join(root, "tsup.config.ts")],
		{ directory: folder },
	);
	if (code !== 0) throw new Error(`${manifest.name} does not build:\n${output.trim()}`);
	console.log(`${relative(root, folder)} built (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

const built = (source: string) => source.replace(/^\.\/src\/(.*)\.ts$/, "./dist/$1");

/** What a package shows in the workspace is what it publishes: each source entry has its built one. */
function proveEntries({ name, exports, bin, publishConfig }: Package["manifest"]): void {
	const entries = Object.entries(exports).map(([entry, { default: source }]) => [
		entry,
		{ types: `${built(source)}.d.ts`, default: `${built(source)}.js` },
	]);
	const programs = Object.entries(bin ?? {}).map(([program, source]) => [program, `${built(source)}.js`]);
	const wanted = JSON.stringify(
		{ exports: Object.fromEntries(entries), bin: Object.fromEntries(programs) },
		null,
		"\t",
	);
	const given = JSON.stringify({ exports: publishConfig.exports, bin: publishConfig.bin ?? {} }, null, "\t");
	if (given !== wanted) throw new Error(`${name}: publishConfig must say, types first:\n${wanted}`);
}
