import { describe, expect, it } from "vitest";
import { fileOf, wholeText } from "./compile-code.ts";
import { codeIn } from "./read-code.ts";

const document = [
	"# Words",
	"",
	"```sh",
	"npm start",
	"```",
	"",
	"<!-- not run: it needs a page -->",
	"<!-- before:",
	"declare const file: File;",
	"-->",
	"",
	"```ts",
	"console.log(file);",
	"```",
	"",
	"<!-- in: examples/storage-adapter -->",
	"",
	"```ts",
	"\tyield bytes;",
	"```",
	"",
	"```tsx",
	"export const page = <p>words</p>;",
	"```",
	"",
].join("\n");

describe("the code of a document", () => {
	const [page, excerpt, plain, ...more] = codeIn("docs/guides/words.md", document);

	it("is every block of TypeScript or JavaScript, with what the comments above it say", () => {
		expect(more).toEqual([]);
		expect(page).toEqual({
			file: "docs/guides/words.md",
			line: 13,
			language: "ts",
			text: "console.log(file);\n",
			before: "declare const file: File;",
			reason: "it needs a page",
			stays: false,
		});
		expect(excerpt).toMatchObject({ line: 19, within: "examples/storage-adapter", before: "" });
		expect(plain).toMatchObject({ line: 23, language: "tsx", before: "", stays: false });
		expect(plain).not.toHaveProperty("reason");
	});

	it("is compiled with what stands before it, as a file of its own", () => {
		if (!page) throw new Error("There is no code.");
		expect(wholeText(page)).toBe("declare const file: File;\nconsole.log(file);\n");
		expect(fileOf("/project", page)).toBe("/project/docs-guides-words-md-13.ts");
	});
});
