import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

type Dependencies = Readonly<Record<string, string>>;
type Installed = { readonly dependencies?: Dependencies; readonly optionalDependencies?: Dependencies };
type Importer = { readonly [kind in keyof Installed]: Readonly<Record<string, { readonly version: string }>> };

const { importers, snapshots } = parse(readFileSync(new URL("../../../pnpm-lock.yaml", import.meta.url), "utf8")) as {
	readonly importers: Readonly<Record<string, Importer>>;
	readonly snapshots: Readonly<Record<string, Installed>>;
};

/** Returns the names of all packages that npm installs with a package of the workspace, optional ones included. */
function installedWith(folder: string, seen = new Set<string>()): Set<string> {
	const { dependencies, optionalDependencies } = importers[folder] ?? {};
	for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies }))
		if (version.startsWith("link:")) installedWith(posix.join(folder, version.slice("link:".length)), seen);
		else addSnapshot(name, version, seen);
	return new Set([...seen].map((key) => key.slice(0, key.indexOf("@", 1))));
}

function addSnapshot(name: string, version: string, seen: Set<string>): void {
	const key = snapshots[`${name}@${version}`] === undefined ? version : `${name}@${version}`;
	if (seen.has(key)) return;
	seen.add(key);
	const { dependencies, optionalDependencies } = snapshots[key] ?? {};
	for (const [next, nextVersion] of Object.entries({ ...dependencies, ...optionalDependencies }))
		addSnapshot(next, nextVersion, seen);
}

it.each(["apps/server", "apps/transcoder"])("%s brings one metrics library, and no client of Redis", (folder) => {
	const names = installedWith(folder);
	expect(names).toContain("undici");
	expect([...names].filter((name) => /^prom-client$|^@prometheus-io\/client$/.test(name))).toEqual([
		"@prometheus-io/client",
	]);
	expect([...names].filter((name) => /redis/.test(name))).toEqual([]);
});
