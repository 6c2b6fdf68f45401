import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";

/** What is longer is a program or a page. */
const longest = 1000;
/** Attributes and properties whose value people read, even if it is one word. */
const labels = new Set(["aria-label", "description", "heading", "label", "name", "placeholder", "says", "title"]);
/** Attributes whose value nobody reads. */
const silent = new Set(["class", "className", "d", "sizes", "style", "to", "viewBox"]);

const nameOf = (node: ts.Node): string =>
	ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) ? node.name.getText().replaceAll(/["']/g, "") : "";
const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
	ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Returns the words of a text or of an element with all that is in it; what is only known later is `{}`. */
function wordsOf(node: ts.Node): string {
	if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node))
		return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("");
	if (ts.isJsxElement(node) || ts.isJsxFragment(node)) return node.children.map(wordsOf).join("");
	if (ts.isJsxExpression(node) && node.expression) return isText(node.expression) ? wordsOf(node.expression) : "{}";
	return ts.isJsxExpression(node) ? "" : "{}";
}

function sentencesOf(source: ts.SourceFile): Set<string> {
	const found = new Set<string>();
	const note = (text: string, isLabel: boolean) => {
		const words = text.replaceAll(/\s+/g, " ").trim();
		if (words.length > longest) return;
		if (/\p{L} \S*\p{L}|\p{L}\S* \{\}/u.test(words) || (isLabel && /^\p{L}[\p{L} -]*$/u.test(words))) found.add(words);
	};
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || silent.has(nameOf(node))) return;
		if (isText(node)) note(wordsOf(node), labels.has(nameOf(node.parent)));
		if (
			(ts.isJsxElement(node) || ts.isJsxFragment(node)) &&
			node.children.some((child) => ts.isJsxText(child) && /\p{L}/u.test(child.text))
		)
			note(wordsOf(node), true);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Returns all that people read of the programs in a folder, file by file, to be read from top to bottom. */
export async function listSentences(folder: string): Promise<string> {
	const files = await readdir(folder, { recursive: true });
	const lists = files
		.filter((file) => /\.tsx?$/.test(file))
		.sort()
		.map(async (file) => {
			const text = await readFile(join(folder, file), "utf8");
			const sentences = [...sentencesOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))];
			return sentences.length === 0 ? "" : `${file}\n${sentences.map((sentence) => `\t${sentence}\n`).join("")}\n`;
		});
	return (await Promise.all(lists)).join("");
}
