import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root as repository } from "../../../scripts/setup/paths.mjs";
import { aboutApi } from "./api-pages.ts";
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

/** The menu beside the pages: one for the API, one for all else. */
const sidebarOf = (pages: readonly Page[]): Readonly<Record<string, readonly Group[]>> => ({
	"/api/": [{ text: "The API", items: [{ text: "About the API", link: "/api/index" }, reference] }],
	"/": [
		{
			text: "Reelmill",
			items: [
				{ text: "What it is", link: "/" },
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
	{ text: "Packages", link: "/reference/index.html" },
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

/** Lays the pages of a version out in a folder as VitePress builds them, with the pictures that they show. */
export function layOutSite(folder: string, pages: readonly Page[], { version, isOlder, root, base }: Version): void {
	for (const name of [".vitepress", "pages"]) rmSync(join(folder, name), { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const own = join(repository, "docs/.vitepress");
	for (const name of ["config.mjs", "theme"])
		cpSync(join(own, name), join(folder, ".vitepress", name), { recursive: true });
	cpSync(join(own, "package.json"), join(folder, "package.json"));
	const images = new Map<string, string>();
	const write = (path: string, text: string) => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	};
	cpSync(join(repository, "docs/guides/sizing.json"), join(folder, ".vitepress/theme/sizing.json"));
	for (const page of pages) write(join("pages", page.page), textOnSite(page, pages, images));
	write("pages/api/index.md", aboutApi());
	for (const [file, copy] of images) cpSync(join(repository, file), join(folder, "pages", copy), { recursive: true });
	write("site.json", JSON.stringify({ version, isOlder, root, base, sidebar: sidebarOf(pages), nav: navOf(version) }));
}
