import { type Page, titleOf } from "./pages.ts";
import { withoutComments } from "./text.ts";

/** Returns the first sentence below a document's title, if text stands there. */
function introductionOf({ text }: Page): string {
	const lines = withoutComments(text).split("\n");
	const below = lines.slice(lines.findIndex((line) => line.startsWith("# ")) + 1).find((line) => line !== "") ?? "";
	return /^[#`|!-]/.test(below) ? "" : (below.split(". ", 1)[0] ?? "").replace(/\.?$/, ".");
}

/**
 * Returns `llms.txt`, a list of all pages with what each is about, for programs that read the site (llmstxt.org).
 * `files` are further files of the site, with what they are; `base` is the site's path, with a slash at its end.
 */
export function llmsIndex(
	pages: readonly Page[],
	files: readonly (readonly [path: string, about: string])[],
	base: string,
): string {
	const line = (page: Page) => `- [${titleOf(page)}](${base}${page.page}): ${introductionOf(page)}`.replace(/: $/, "");
	const groups = [
		["Guides", "guides/"],
		["Packages", "packages/"],
		["Programs", "apps/"],
		["Examples", "examples/"],
		["The project", "project/"],
	].map(([title, folder = ""]) => {
		const lines = pages.filter(({ page }) => page.startsWith(folder)).map(line);
		return `## ${title}\n\n${lines.join("\n")}`;
	});
	return [
		"# Reelmill",
		"> Video hosting and processing that you install from npm and run yourself.",
		...groups,
		`## Documents\n\n${files.map(([path, about]) => `- [${path}](${base}${path}): ${about}`).join("\n")}`,
		"",
	].join("\n\n");
}

/** Returns `llms-full.txt`: the text of every page but the decisions, one behind another. */
export const llmsFull = (pages: readonly Page[]): string =>
	pages
		.filter(({ page }) => !page.startsWith("decisions/"))
		.map(({ page, text }) => `<!-- ${page} -->\n\n${withoutComments(text)}`)
		.join("\n\n");
