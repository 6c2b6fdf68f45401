import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/paths.mjs";
import { codeIn, userDocuments } from "./read-code.ts";
import { strangeFiles, wholeFilesIn } from "./whole-files.ts";

const source = "examples/ten-minutes/nextjs/app/layout.tsx";
const text = readFileSync(join(root, source), "utf8");
const document = (code: string) => `<!-- file: ${source} as app/layout.tsx -->\n\n\`\`\`tsx\n${code}\`\`\`\n`;

it("finds a whole file in a document, which is no code of the document's own", () => {
	expect(wholeFilesIn(document(text))).toEqual([{ source, name: "app/layout.tsx", text }]);
	expect(codeIn("page.md", document(text))).toEqual([]);
	expect(strangeFiles(wholeFilesIn(document(text)))).toEqual([]);
});

it("names a file that the document shows differently, and one that is not there", () => {
	const other = document(text.replace("en", "de"));
	const missing = document(text).replace("layout.tsx as", "nowhere.tsx as");
	expect(strangeFiles(wholeFilesIn(other + missing))).toEqual([
		`${source} differs from the document that shows it`,
		"examples/ten-minutes/nextjs/app/nowhere.tsx differs from the document that shows it",
	]);
});

it("finds every file that a document shows in the repository, letter by letter", () => {
	const files = userDocuments().flatMap((file) => wholeFilesIn(readFileSync(join(root, file), "utf8")));
	expect(files.map(({ name }) => name)).toContain("public/index.html");
	expect(strangeFiles(files)).toEqual([]);
});
