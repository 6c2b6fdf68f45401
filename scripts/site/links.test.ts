import { expect, it } from "vitest";
import { anchorsIn, brokenLinks, linksIn, textOnSite } from "./links.ts";

const page = (file: string, place: string, text: string) => ({ file, page: place, text });

it("finds the anchors of headings as GitHub makes them, but none in code", () => {
	const text =
		"# What's `new`?\n## Sizing: one, two\n## Sizing: one, two\n```sh\n# no heading\n```\n### [A link](a.md) _here_";
	expect([...anchorsIn(text)]).toEqual(["whats-new", "sizing-one-two", "sizing-one-two-1", "a-link-_here_"]);
});

it("finds links in text, also around code, but none in code or to other hosts", () => {
	const text =
		"[a](a.md#x) `[b](b.md)` [`c[d]`](../c) ![d](d.png) [e](https://example.com) [f](#f)\n```md\n[g](g.md)\n```";
	expect(linksIn(text).map(({ target }) => target)).toEqual(["a.md#x", "../c", "d.png", "#f"]);
});

it("names each link to a file that isn't there, and to a heading that no page has", () => {
	const pages = [
		page(
			"docs/a.md",
			"a.md",
			"# A\n[b](b.md#there) [b](b.md#missing) [c](c.md) [own](#a) [own](#b) [code](../src/x.ts#L3)",
		),
		page("docs/b.md", "b.md", "# B\n## There"),
	];
	expect(brokenLinks(pages, (file) => file !== "docs/c.md")).toEqual([
		"docs/a.md:2: docs/b.md has no heading #missing",
		"docs/a.md:2: there is no docs/c.md",
		"docs/a.md:2: docs/a.md has no heading #b",
	]);
});

it("writes links to pages, folders of packages, pictures and sources as they are on the site, and no comments", () => {
	const pages = [
		page(
			"docs/guides/a.md",
			"guides/a.md",
			"# A\n<!-- run by: x -->\n\n[b](../b.md#c) [p](../../packages/p) ![i](../i/i.png) [s](../../src/s.ts) `[b](../b.md)`",
		),
		page("docs/b.md", "project/b.md", ""),
		page("packages/p/README.md", "packages/p.md", ""),
	];
	const images = new Map<string, string>();
	expect(textOnSite(pages[0] as (typeof pages)[0], pages, images)).toBe(
		"# A\n[b](../project/b.md#c) [p](../packages/p.md) ![i](../images/i.png) [s](https://github.com/reelmill/reelmill/blob/main/src/s.ts) `[b](../b.md)`",
	);
	expect([...images]).toEqual([["docs/i/i.png", "images/i.png"]]);
});
