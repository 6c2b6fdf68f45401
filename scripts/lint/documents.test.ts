import { describe, expect, it } from "vitest";
import { longLines } from "./columns.ts";
import { somebodysSecrets } from "./nobodys-secrets.ts";
import { sentences } from "./sentences.ts";

const long = "word ".repeat(24);

describe("a line wider than 120 columns", () => {
	it.each([
		[`// ${long}`, "comment"],
		[`/** ${long}*/\nconst value = 1;`, "comment"],
		[`/**\n * ${long}\n */\nconst value = 1;`, "comment"],
		[`const value = 1; // ${long}`, "comment"],
		[`/* ${long}*/ const value = 1;`, "breakable"],
		[`const value = [${"1, ".repeat(40)}];`, "breakable"],
		[`const value = "${long}";`, "unbreakable"],
		[`const value = \`${long}\${1}${long}\`;`, "unbreakable"],
		[`const value = /${long}/;`, "unbreakable"],
	])("in %j is told as %s", (text, kind) => {
		expect(longLines(text).map((line) => line.kind)).toEqual([kind]);
	});

	it("may be an address or a word to a program", () => {
		expect(longLines(`// https://example.com/${"a".repeat(120)}`)).toEqual([]);
		expect(longLines(`// biome-ignore lint/a/b: ${long}`)).toEqual([]);
	});

	it("counts a tab as two", () => {
		expect(longLines(`${"\t".repeat(10)}// ${"a ".repeat(48)}a`)).toEqual([]);
		expect(longLines(`${"\t".repeat(10)}// ${"a ".repeat(49)}a`)).toHaveLength(1);
	});
});

it("counts the words of each sentence of a document, of its lists and of its tables", () => {
	const text = [
		"# A heading",
		"",
		"One [link to](guides/a.md) a page (and more of it); `code in a line` counts",
		"as one. **Bold.** Next",
		"- an item: its text",
		"",
		"| a cell | two. sentences |",
		"<!-- a comment",
		"of two lines -->",
		"```sh",
		"echo one two three",
		"```",
		"The end.",
	].join("\n");
	expect(sentences(text).map(({ line, words }) => [line, words])).toEqual([
		[1, 2],
		[3, 5],
		[3, 4],
		[3, 1],
		[3, 1],
		[5, 2],
		[5, 2],
		[7, 0],
		[7, 2],
		[7, 1],
		[7, 1],
		[7, 0],
		[13, 2],
	]);
});

it("finds webhook secrets that may be somebody's", () => {
	const text = [
		"secret=whsec_5f1c",
		"whsec_bm9ib2R5cyBzZWNyZXQ",
		"`whsec_...`",
		"`whsec_`, whsec_.",
		"whsec_$(random)",
	];
	expect(somebodysSecrets(text.join("\n"))).toEqual([
		{ line: 1, secret: "whsec_5f1c" },
		{ line: 3, secret: "whsec_..." },
	]);
});
