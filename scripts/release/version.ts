import { listPackages } from "../packages/list.ts";
import { tool } from "../programs/tool.ts";
import { root } from "../setup/paths.mjs";
import { capture } from "../setup/spawn.mjs";
import { addToChangelog, readChanges, sectionOf } from "./changelog.ts";
import { setChartVersion } from "./chart.ts";

/**
 * Gives every published package of a folder, and the Helm chart, the next version, as its changesets ask, writes the
 * changelog of it, and removes the changesets. Resolves to the version.
 * @throws {Error} if there are no changesets, or the packages do not get one version
 */
export async function nextVersion(folder: string): Promise<string> {
	const changes = await readChanges(folder);
	const { code, output } = await capture(tool("changeset"), ["version"], { directory: folder });
	if (code !== 0) throw new Error(`changeset version:\n${output.trim()}`);
	const published = listPackages(folder);
	const versions = new Set(published.map(({ manifest }) => manifest.version));
	const [version] = versions;
	if (!version || versions.size > 1)
		throw new Error(
			`The packages drift apart:\n${published.map(({ manifest }) => `  ${manifest.name} ${manifest.version}`).join("\n")}`,
		);
	addToChangelog(folder, sectionOf(version, changes));
	setChartVersion(folder, version);
	return version;
}

if (import.meta.main) console.log(`All packages are ${await nextVersion(root)} now: see CHANGELOG.md.`);
