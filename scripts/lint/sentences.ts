import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";

const documents = [
	"*.md",
	"docs/*.md",
	"docs/guides/*.md",
	"docs/measurements/*.md",
	"{apps,packages,examples}/*/*.md",
];
/** How many words a sentence may have, or a part of it up to a colon or a semicolon. */
const mostWords = 40;

export type Sentence = { readonly line: number; readonly text: string; readonly words: number };

/**
 * Finds the sentences of a document, and the parts of them that end in a colon or a semicolon. Each cell of a table is
 * read by itself. Code blocks and comments count for nothing, code in a line as one word, and parentheses as none.
 */
export function sentences(document: string): Sentence[] {
	return textsOf(document).flatMap(({ line, text }) =>
		plain(text)
			.split(/(?<=[.!?:;]) /)
			.map((sentence) => ({ line, text: sentence, words: wordsIn(sentence) })),
	);
}

const plain = (text: string): string =>
	text
		.replaceAll(/`[^`]*`/g, "`")
		.replaceAll(/\]\([^()]*\)/g, "]")
		.replaceAll(/\([^()]*\)/g, "")
		.replaceAll("*", "");
const wordsIn = (text: string): number => text.split(" ").filter((word) => /[`\p{L}\p{N}]/u.test(word)).length;

type Text = { readonly line: number; readonly text: string };

/** The paragraphs, items of lists and cells of tables, each as one line. */
function textsOf(document: string): Text[] {
	const texts: { line: number; text: string }[] = [];
	let end: string | undefined;
	let isOpen = false;
	for (const [index, raw] of document.split("\n").entries()) {
		const line = raw.trim();
		const begins = end === undefined ? endOf(line) : undefined;
		if (end !== undefined || begins !== undefined) {
			isOpen = false;
			if (end !== undefined) end = line.endsWith(end) ? undefined : end;
			else end = begins === "-->" && line.endsWith("-->") ? undefined : begins;
			continue;
		}
		const last = texts.at(-1);
		if (line.startsWith("|")) texts.push(...line.split("|").map((text) => ({ line: index + 1, text: text.trim() })));
		else if (isOpen && last && line !== "" && !/^(?:[-*]|\d+\.) /.test(line)) last.text += ` ${line}`;
		else if (line !== "") texts.push({ line: index + 1, text: line });
		isOpen = line !== "" && !line.startsWith("|") && !line.startsWith("#");
	}
	return texts;
}

/** The end of a block that begins with this line and that nobody reads as text. */
function endOf(line: string): string | undefined {
	if (line.startsWith("```")) return "```";
	return line.startsWith("<!--") ? "-->" : undefined;
}

/** Proves that the sentences of the documents are short enough to be read once. */
export async function proveSentences(): Promise<void> {
	const complaints: string[] = [];
	let count = 0;
	let longest = 0;
	for (const file of globSync(documents, { cwd: root, exclude: ["**/node_modules/**"] }))
		for (const { line, text, words } of sentences(readFileSync(join(root, file), "utf8"))) {
			count++;
			longest = Math.max(longest, words);
			if (words > mostWords) complaints.push(`${file}:${line}: ${words} words in one sentence: ${text}`);
		}
	if (complaints.length > 0)
		throw new Error([...complaints, `A sentence may have ${mostWords} words: make two of it`].join("\n"));
	console.log(`${count} sentences, the longest of ${longest} words`);
}
