import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { blocksOf, said, userDocuments } from "./read-code.ts";

/** A fenced block of a shell's commands in a document. */
type Commands = {
	/** From the repository's root. */
	readonly file: string;
	/** Line of its first command, counted from 1. */
	readonly line: number;
	readonly text: string;
	/** `<!-- run by: apps/server/test/upgrade-guide.nightly.test.ts -->`: the test, or the script, that runs it. */
	readonly runBy: string | undefined;
	/** `<!-- not run: it needs Docker -->`: why nothing runs it. */
	readonly reason: string | undefined;
};

/** Reads the commands of all that users read. */
export const readCommands = (): Commands[] =>
	userDocuments().flatMap((file) => commandsIn(file, readFileSync(join(root, file), "utf8")));

/** Finds the commands in the text of one document, each block with what the comments right above it say. */
export function commandsIn(file: string, document: string): Commands[] {
	return [...blocksOf(document, /^(?:sh|bash)$/)].map(({ comments, line, text }) => {
		return { file, line, text, runBy: said(comments, "run by"), reason: said(comments, "not run") };
	});
}
