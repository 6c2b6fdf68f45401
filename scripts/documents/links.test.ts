import { expect, it } from "vitest";
import { complaintsAbout } from "./links.ts";

const page = (file: string, text: string) => ({ file, page: file, text });

it("names each link to no file, to no heading and to the reader's machine, and each path of no file", () => {
	const pages = [
		page(
			"docs/a.md",
			[
				"# What's `new`, and [_here_](b.md)?",
				"[b](b.md#there) [b](b.md#missing) [`c[d]`](c.md) [own](#whats-new-and-here) [own](#b)",
				"<http://localhost:3000> [here](http://127.0.0.1:1) `[x](x.md)` `http://localhost:3000` <https://example.com>",
				"`docs/b.md:12` `docs/none.md` `src/none.ts` `packages/<name>`",
				"```md\n[y](y.md)\n```",
			].join("\n\n"),
		),
		page("docs/b.md", "# B\n## There"),
		page("packages/a/README.md", "`src/none.ts`"),
	];
	expect(complaintsAbout(pages, (path) => path === "docs/a.md" || path === "docs/b.md")).toEqual([
		"docs/a.md:3: docs/b.md has no heading #missing",
		"docs/a.md:3: there is no docs/c.md",
		"docs/a.md:3: docs/a.md has no heading #b",
		"docs/a.md:5: http://localhost:3000 is nowhere on the site: write it as code",
		"docs/a.md:5: http://127.0.0.1:1 is nowhere on the site: write it as code",
		"docs/a.md:7: there is no docs/none.md",
		"packages/a/README.md:1: there is no packages/a/src/none.ts",
	]);
});
