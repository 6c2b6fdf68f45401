import { cpSync, mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listPackages } from "../packages/list.ts";
import { bases, findBase } from "../programs/branch-base.ts";
import { tool } from "../programs/tool.ts";
import { root } from "../setup/paths.mjs";
import { capture } from "../setup/spawn.mjs";
import { type Change, readChanges } from "./changelog.ts";
import { chartFile } from "./chart.ts";
import { nextVersion } from "./version.ts";

/**
 * Proves that a release is possible: every changeset names published packages and begins with its theme; what changes a
 * package brings a changeset; and in a copy, the version that they ask for is made.
 */
export async function proveChangesets(): Promise<void> {
	await proveAsked();
	proveThemes(await readChanges(root));
	await proveVersion();
}

/** Fails if this branch changes the sources of a published package and brings no changeset. */
async function proveAsked(): Promise<void> {
	const base = await findBase();
	if (!base) return console.log(`This clone knows none of ${bases.join(", ")}: nothing is asked for.`);
	const { output } = await capture("git", ["show", `${base}:packages/contracts/package.json`], { directory: root });
	const here = JSON.parse(readFileSync(join(root, "packages/contracts/package.json"), "utf8")).version;
	// A release takes the changesets away.
	if (output.startsWith("{") && JSON.parse(output).version !== here) return;
	const status = await capture(tool("changeset"), ["status", `--since=${base}`], { directory: root });
	if (status.code !== 0) throw new Error(`changeset status --since=${base}:\n${status.output.trim()}`);
}

/** Fails if a change has no theme: a heading, under which the changelog gathers what it says. */
function proveThemes(changes: readonly Change[]): void {
	const without = changes.flatMap(({ summary }) => (/^(### .|$)/.test(summary.trim()) ? [] : [summary.trim()]));
	if (without.length > 0)
		throw new Error(
			`These changesets need a heading as their first line, such as "### Uploads":\n\n${without.join("\n\n")}`,
		);
}

/** Makes the next version in a copy of all that a version is made of. */
async function proveVersion(): Promise<void> {
	using copy = mkdtempDisposableSync(join(tmpdir(), "reelmill-version-"));
	const files = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", "CHANGELOG.md", ".changeset", chartFile];
	for (const file of [...files, ...listPackages().map(({ path }) => join(path, "package.json"))])
		cpSync(join(root, file), join(copy.path, file), { recursive: true });
	const changes = await readChanges(copy.path);
	if (changes.length === 0) return console.log("No changesets: nothing to release.");
	const version = await nextVersion(copy.path);
	console.log(`${changes.length} changesets make ${version} of all packages`);
}
