import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root as repository } from "../../../scripts/setup/paths.mjs";
import { aboutApi } from "./api-pages.ts";
import type { Module } from "./packages-reference.ts";
import { type Page, titleOf } from "./pages.ts";
import { textOnSite } from "./text.ts";
import type { Version } from "./versions.ts";

type Item = { readonly text: string; readonly link: string; readonly target?: string };
type Group = { readonly text: string; readonly items: readonly Item[]; readonly collapsed?: boolean };

const itemOf = (page: Page): Item => ({
	text: titleOf(page).replaceAll("`", ""),
	link: `/${page.page.replace(/\.md$/, "")}`,
});
const under = (pages: readonly Page[], folder: string): Item[] =>
	pages.filter(({ page }) => page.startsWith(`${folder}/`)).map(itemOf);

/** The guides in the groups and the order of the table of contents, which begins with what is read first. */
function guides(pages: readonly Page[]): Group[] {
	const contents = pages.find(({ file }) => file === "docs/README.md")?.text ?? "";
	const [, ...sections] = contents.split(/^## /m);
	return sections.flatMap((section) => {
		const place = ({ page }: Page) => section.indexOf(`(${page})`);
		const found = pages.filter((page) => page.page.startsWith("guides/") && place(page) !== -1);
		const items = found.sort((a, b) => place(a) - place(b)).map(itemOf);
		return items.length === 0 ? [] : [{ text: section.split("\n", 1)[0] ?? "", items }];
	});
}

/** The reference is a page of its own, which VitePress doesn't know. */
const reference: Item = { text: "Reference", link: "/api/docs.html", target: "_self" };

/** All that can be imported. */
const referenceMenu = (modules: readonly Module[]): Group[] => [
	{
		text: "Packages",
		items: modules
			.map(({ name, page }) => ({ text: name, link: `/reference/${page.replace(/\.md$/, "")}` }))
			.sort((a, b) => a.text.localeCompare(b.text, "en")),
	},
];

/** The menu beside the pages: one for the API, one for the packages, one for all else. */
const sidebarOf = (pages: readonly Page[], modules: readonly Module[]): Readonly<Record<string, readonly Group[]>> => ({
	"/api/": [{ text: "The API", items: [{ text: "About the API", link: "/api/index" }, reference] }],
	"/reference/": referenceMenu(modules),
	"/": [
		{
			text: "Reelmill",
			items: [
				{ text: "What it is", link: "/about" },
				{ text: "Contents", link: "/contents" },
				{ text: "The API, to read and to try", link: "/api/index" },
			],
		},
		...guides(pages),
		{ text: "Measurements", items: under(pages, "measurements"), collapsed: true },
		{ text: "Packages", items: [...under(pages, "packages"), ...under(pages, "apps")], collapsed: true },
		{ text: "Examples", items: under(pages, "examples"), collapsed: true },
		{ text: "The project", items: under(pages, "project"), collapsed: true },
		{ text: "Decisions", items: under(pages, "decisions"), collapsed: true },
	],
});

const navOf = (version: string): readonly (Item | { readonly text: string; readonly items: readonly Item[] })[] => [
	{ text: "Guides", link: "/contents" },
	{ text: "API", link: "/api/index" },
	{ text: "Packages", link: "/reference/index" },
	{
		text: "Releases",
		items: [
			{ text: `Changelog, up to ${version}`, link: "/project/changelog" },
			{ text: "Upgrade", link: "/guides/upgrade" },
			{ text: "Support", link: "/project/support" },
			{ text: "Security", link: "/project/security" },
		],
	},
];

/** The console's colours. VitePress says its theme by a class of its own. */
const tokensOfConsole = (): string =>
	readFileSync(join(repository, "packages/console/src/styles/tokens.css"), "utf8").replace(
		':root[data-theme="dark"]',
		":root.dark",
	);

/** What VitePress must know of a page: the first one has a layout of its own. */
const headOf = ({ page }: Page): string =>
	page === "index.md"
		? "---\nlayout: HomePage\nsidebar: false\ntitle: Reelmill\ntitleTemplate: Video hosting that you run yourself\n---\n\n"
		: "";

/**
 * Lays the pages of a version out in a folder as VitePress builds them, with the pictures that they show. The reference
 * of the packages lies in the folder `reference` beside them, and `modules` are its pages.
 */
export function layOutSite(
	folder: string,
	pages: readonly Page[],
	modules: readonly Module[],
	{ version, isOlder, root, base }: Version,
): void {
	for (const name of [".vitepress", "pages"]) rmSync(join(folder, name), { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const own = join(repository, "docs/.vitepress");
	for (const name of ["config.mjs", "theme"])
		cpSync(join(own, name), join(folder, ".vitepress", name), { recursive: true });
	cpSync(join(own, "package.json"), join(folder, "package.json"));
	cpSync(join(repository, "packages/console/src/icon.svg"), join(folder, ".vitepress/theme/icon.svg"));
	const images = new Map<string, string>();
	const write = (path: string, text: string) => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	};
	cpSync(join(repository, "docs/guides/sizing.json"), join(folder, ".vitepress/theme/sizing.json"));
	cpSync(join(folder, "reference"), join(folder, "pages/reference"), { recursive: true });
	write(".vitepress/theme/tokens.css", tokensOfConsole());
	for (const page of pages) write(join("pages", page.page), headOf(page) + textOnSite(page, pages, images));
	write("pages/api/index.md", aboutApi());
	for (const [file, copy] of images) cpSync(join(repository, file), join(folder, "pages", copy), { recursive: true });
	write(
		"site.json",
		JSON.stringify({ version, isOlder, root, base, sidebar: sidebarOf(pages, modules), nav: navOf(version) }),
	);
}
