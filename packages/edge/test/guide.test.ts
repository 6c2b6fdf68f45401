import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { blocksOf, fileSaid } from "../../../scripts/documents/read-code.ts";

const root = new URL("../../../", import.meta.url);

it("shows the files of deploy/edge in the guide as they are", async () => {
	const guide = await readFile(new URL("docs/guides/behind-a-cdn.md", root), "utf8");
	const shown = [...blocksOf(guide, /./)].flatMap(({ comments, text }) => {
		const file = fileSaid(comments);
		return file === undefined ? [] : [{ source: file.source, text }];
	});
	expect(shown.map(({ source }) => source)).toContain("deploy/edge/varnish/reelmill-authoriser.mjs");
	for (const { source, text } of shown)
		expect([source, text]).toEqual([source, await readFile(new URL(source, root), "utf8")]);
});
