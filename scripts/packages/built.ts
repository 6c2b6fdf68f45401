import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { arePagesCompressed } from "../console/compress.ts";
import { sourcesOfPages } from "../console/page.mjs";
import { tool } from "../programs/tool.ts";
import { fingerprintOf } from "../setup/fingerprint.mjs";
import { root } from "../setup/paths.mjs";
import { capture } from "../setup/spawn.mjs";
import { listPackages } from "./list.ts";

/** Says what the packages in their `dist/` are built of. */
const stamp = join(root, "dist/packages.stamp");

/**
 * Builds every package, unless all are built of the sources as they are now. One process builds at a time: pnpm packs
 * several packages at once, each after this.
 */
export async function buildPackagesOnce(): Promise<void> {
	mkdirSync(dirname(stamp), { recursive: true });
	const lock = new DatabaseSync(join(root, "dist/packages.lock"), { timeout: 600_000 });
	try {
		// The kernel gives up the lock of a process that dies.
		lock.exec("begin exclusive");
		if (isBuilt()) return;
		// What the check of types declared before, brought up to date; otherwise declarations alone, without the check.
		const checked = existsSync(join(root, "dist/declarations/tsconfig.tsbuildinfo"));
		const { code, output } = await capture(tool("tsc"), ["-p", checked ? root : import.meta.dirname]);
		if (code !== 0) throw new Error(output.trim());
		const { buildPackages } = await import("./build.ts");
		await buildPackages();
	} finally {
		lock.close();
	}
}

const isBuilt = (): boolean =>
	existsSync(stamp) &&
	readFileSync(stamp, "utf8") === fingerprintOfPackages() &&
	listPackages().every(({ folder }) => existsSync(join(folder, "dist"))) &&
	arePagesCompressed();

export function markBuilt(sources: string): void {
	mkdirSync(dirname(stamp), { recursive: true });
	writeFileSync(stamp, sources);
}

export const clearBuilt = (): void => rmSync(stamp, { force: true });

/** Changes with the sources of the packages, and with how they are built. */
export const fingerprintOfPackages = (): string =>
	fingerprintOf([
		...listPackages().flatMap(({ path }) => [`${path}/package.json`, `${path}/src`]),
		...sourcesOfPages,
		...["scripts/packages", "scripts/console", "tsup.config.ts", "tsconfig.base.json", "tsconfig.json"],
	]);
