import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/setup/paths.mjs";

/** A document of the repository, and where it stands on the site. */
export type Page = {
	/** Its path from the repository's root. */
	readonly file: string;
	/** Its path on the site, with `.md`. */
	readonly page: string;
	readonly text: string;
};

/** Each group of documents, and where its pages stand. The first that takes a document has it. */
const places: readonly (readonly [pattern: string, page: (parts: RegExpExecArray) => string])[] = [
	["docs/home.md", () => "index.md"],
	["README.md", () => "about.md"],
	["CONTRIBUTING.md", () => "project/contributing.md"],
	["SECURITY.md", () => "project/security.md"],
	["SUPPORT.md", () => "project/support.md"],
	["CHANGELOG.md", () => "project/changelog.md"],
	["docs/README.md", () => "contents.md"],
	["docs/decisions/README.md", () => "decisions/index.md"],
	["docs/decisions/*.md", ([, name]) => `decisions/${name}.md`],
	["docs/guides/*.md", ([, name]) => `guides/${name}.md`],
	["docs/measurements/*.md", ([, name]) => `measurements/${name}.md`],
	["docs/*.md", ([, name]) => `project/${name}.md`],
	["packages/*/README.md", ([, name]) => `packages/${name}.md`],
	["apps/*/README.md", ([, name]) => `apps/${name}.md`],
	["examples/*/README.md", ([, name]) => `examples/${name}.md`],
];

/** Reads all documents that are pages of the site. */
export function readPages(): Page[] {
	const pages = new Map<string, Page>();
	for (const [pattern, place] of places) {
		const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replace("*", "([^/]+)")}$`);
		for (const file of globSync(pattern, { cwd: root }).sort()) {
			const parts = expression.exec(file);
			if (parts === null || pages.has(file)) continue;
			pages.set(file, { file, page: place(parts), text: readFileSync(join(root, file), "utf8") });
		}
	}
	return [...pages.values()];
}

/** Returns the first heading of a document. */
export const titleOf = ({ text, file }: Pick<Page, "text" | "file">): string => /^# (.+)$/m.exec(text)?.[1] ?? file;
