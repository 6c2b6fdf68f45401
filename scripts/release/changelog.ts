import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readChangesets } from "@changesets/read";

/** What a changeset says, and the packages it names. */
export type Change = {
	readonly summary: string;
	readonly releases: readonly { readonly name: string; readonly type: "major" | "minor" | "patch" | "none" }[];
};

const rest = "Other changes";
/** What users have to do. */
const upgrade = "Upgrade";

/** Reads the changesets of a folder that has `.changeset/`. */
export const readChanges = (folder: string): Promise<Change[]> => readChangesets(folder);

/**
 * Makes the section of one version: a part for each theme, the heading a changeset begins with. "Upgrade" comes first,
 * then the themes that concern most packages, and last what has no heading.
 */
export function sectionOf(version: string, changes: readonly Change[]): string {
	const themes = new Map<string, { texts: string[]; packages: Set<string> }>();
	for (const { summary, releases } of changes) {
		// A changeset of packages whose users see nothing has no text.
		if (summary.trim() === "") continue;
		const [, theme = rest, text = ""] = /^(?:### ([^\n]+)\n)?(.*)$/s.exec(summary.trim()) ?? [];
		const part = themes.get(theme) ?? { texts: [], packages: new Set() };
		part.texts.push(asList(text.trim()));
		for (const { name } of releases) part.packages.add(name);
		themes.set(theme, part);
	}
	const parts = [...themes]
		.sort(([a, { packages: ofA }], [b, { packages: ofB }]) => {
			if (a === rest || b === rest) return a === rest ? 1 : -1;
			if (a === upgrade || b === upgrade) return a === upgrade ? -1 : 1;
			return ofB.size - ofA.size || a.localeCompare(b);
		})
		.map(([theme, { texts }]) => `### ${theme}\n\n${texts.join("\n")}\n`);
	return `## ${version}\n\n${parts.join("\n")}`;
}

const asList = (text: string): string => (text.startsWith("- ") ? text : `- ${text.replaceAll("\n", "\n  ")}`);

/** Puts the section of a version above those of the versions before, in `CHANGELOG.md` of this folder. */
export function addToChangelog(folder: string, section: string): void {
	const file = join(folder, "CHANGELOG.md");
	const text = readFileSync(file, "utf8");
	const at = text.indexOf("\n## ");
	const [head, before] = at < 0 ? [text.trimEnd(), ""] : [text.slice(0, at).trimEnd(), text.slice(at)];
	writeFileSync(file, `${head}\n\n${section.trimEnd()}\n${before}`);
}
