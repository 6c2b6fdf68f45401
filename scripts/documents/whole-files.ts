import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { blocksOf, fileSaid } from "./read-code.ts";

/** A block of a document that is a whole file of this repository, and that the reader saves under a name. */
export type WholeFile = {
	/** Where the file is in this repository. */
	readonly source: string;
	/** What the reader calls it. */
	readonly name: string;
	readonly text: string;
};

/** Finds the blocks of a document that are whole files. */
export const wholeFilesIn = (document: string): WholeFile[] =>
	[...blocksOf(document, /./)].flatMap(({ comments, text }) => {
		const said = fileSaid(comments);
		return said === undefined ? [] : [{ ...said, text }];
	});

/** Says which of them differ from the file in this repository, or have none. */
export const strangeFiles = (files: readonly WholeFile[]): string[] =>
	files
		.filter(({ source, text }) => !existsSync(join(root, source)) || readFileSync(join(root, source), "utf8") !== text)
		.map(({ source }) => `${source} differs from the document that shows it`);
