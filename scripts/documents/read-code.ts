import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";
import { listPackages } from "../packages/list.ts";
import { root } from "../setup/paths.mjs";

/** A fenced block of TypeScript or JavaScript in a document. */
export type Code = {
	/** From the repository's root. */
	readonly file: string;
	/** Line of its first line of code, counted from 1. */
	readonly line: number;
	readonly language: "ts" | "tsx" | "js" | "jsx" | "mjs";
	readonly text: string;
	/** `<!-- before: ... -->`: code that readers are not shown, and that the block stands on. */
	readonly before: string;
	/** `<!-- in: examples/storage-adapter -->`: the folder of which it is an excerpt. */
	readonly within?: string | undefined;
	/** `<!-- not run: it needs a page -->`: why it is only compiled. */
	readonly reason?: string | undefined;
	/** `<!-- until SIGTERM -->`: it runs until it is told to stop. */
	readonly stays: boolean;
};

/** Lists the documents that users read: all under `docs/`, and the READMEs of what is published and of the examples. */
export const userDocuments = (): string[] =>
	[
		"README.md",
		...globSync("docs/**/*.md", { cwd: root }),
		...globSync("examples/*/README.md", { cwd: root }),
		...listPackages()
			.map(({ path }) => `${path}/README.md`)
			.filter((file) => existsSync(join(root, file))),
	].sort();

/** Reads the code of all that users read. */
export const readCode = (): Code[] =>
	userDocuments().flatMap((file) => codeIn(file, readFileSync(join(root, file), "utf8")));

type Block = { readonly comments: string; readonly line: number; readonly language: string; readonly text: string };

/** Finds the blocks of code of these languages, each with the comments right above it. */
export function* blocksOf(document: string, languages: RegExp): Generator<Block> {
	let comments = "";
	for (const node of fromMarkdown(document).children) {
		if (node.type === "code" && languages.test(node.lang ?? ""))
			yield {
				comments,
				line: (node.position?.start.line ?? 0) + 1,
				language: node.lang ?? "",
				text: `${node.value}\n`,
			};
		comments = node.type === "html" ? `${comments}${node.value}\n` : "";
	}
}

/** What the comments above a block say under a key: "examples/storage-adapter" of `<!-- in: examples/storage-adapter -->`. */
export const said = (comments: string, key: string): string | undefined =>
	new RegExp(`<!-- ${key}:\\s(.*?)\\s*-->`, "s").exec(comments)?.[1];

/** The file that a block is as a whole, and what the reader calls it, if the comments above the block say so. */
export function fileSaid(comments: string): { readonly source: string; readonly name: string } | undefined {
	const [source, name] = said(comments, "file")?.split(" as ") ?? [];
	return source === undefined || name === undefined ? undefined : { source, name };
}

/**
 * Finds the code in the text of one document, each block with the comments right above it. What is a file of this
 * repository as a whole is left out: that file is compiled and run.
 */
function codeIn(file: string, document: string): Code[] {
	const blocks = [...blocksOf(document, /^(?:tsx?|jsx?|mjs)$/)];
	const own = blocks.filter(({ comments }) => fileSaid(comments) === undefined);
	return own.map(({ comments, line, language, text }) => ({
		file,
		line,
		language: language as Code["language"],
		text,
		before: said(comments, "before") ?? "",
		within: said(comments, "in"),
		reason: said(comments, "not run"),
		stays: comments.includes("<!-- until SIGTERM -->"),
	}));
}
