import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../setup/paths.mjs";

const columns = 120;
const columnsOfTab = 2;
/** The share of lines whose strings, templates or expressions may pass the width: the formatter can't break those. */
const largestShare = 0.007;

/** Comments that a program reads, and must find on one line. */
const directive = /^(?:\/\/|\/\*\*?|\*) ?(?:biome-ignore|eslint-|@ts-|\/ <)/;

export type LongLine = { readonly line: number; readonly kind: "comment" | "breakable" | "unbreakable" };

const width = (line: string): number => line.length + (line.split("\t").length - 1) * (columnsOfTab - 1);

/** Finds the lines of a source that are wider than 120 columns, and says what makes them so. */
export function longLines(text: string): LongLine[] {
	const lines = text.split("\n");
	if (!lines.some((line) => width(line) > columns)) return [];
	const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
	const texts = linesOfTexts(source);
	return lines.flatMap((line, index) => {
		if (width(line) <= columns) return [];
		const start = source.getPositionOfLineAndCharacter(index, 0);
		if (isInComment(source, start + line.length - 1))
			return isUnbreakable(line) ? [] : { line: index + 1, kind: "comment" };
		return { line: index + 1, kind: texts.has(index) ? "unbreakable" : "breakable" };
	});
}

/** A comment of one word, such as an address, or one that a program reads. */
function isUnbreakable(line: string): boolean {
	const comment = line.trim();
	return (
		directive.test(comment) ||
		comment
			.replace(/^(?:\/\/|\/\*\*?|\*)/, "")
			.trim()
			.split(" ").length === 1
	);
}

/** Whether a position lies in a comment: the token around it starts only after it. */
function isInComment(source: ts.SourceFile, position: number): boolean {
	let node: ts.Node = source;
	for (;;) {
		const child: ts.Node | undefined = node
			.getChildren(source)
			.find((each) => each.pos <= position && position < each.end && each.end > each.pos);
		if (!child) return position < node.getStart(source);
		if (ts.isJSDoc(child)) return true;
		node = child;
	}
}

/** The lines, counted from 0, that a string, a template or a regular expression touches. */
function linesOfTexts(source: ts.SourceFile): Set<number> {
	const lines = new Set<number>();
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node)) {
			const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
			const last = source.getLineAndCharacterOfPosition(node.end).line;
			for (let line = first; line <= last; line++) lines.add(line);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return lines;
}

/** Proves that comments are at most 120 columns wide, and code, too, but for a few lines with long texts. */
export async function proveColumns(): Promise<void> {
	const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.mjs"], {
		cwd: root,
		encoding: "utf8",
	});
	const complaints: string[] = [];
	let lines = 0;
	const unbreakable: string[] = [];
	for (const file of files.trim().split("\n")) {
		const text = readFileSync(join(root, file), "utf8");
		lines += text.split("\n").length;
		for (const { line, kind } of longLines(text)) {
			if (kind === "unbreakable") unbreakable.push(`${file}:${line}`);
			else
				complaints.push(`${file}:${line}: this ${kind === "comment" ? "comment" : "code"} is wider than 120 columns`);
		}
	}
	const share = unbreakable.length / lines;
	const percent = `${(share * 100).toFixed(2)} % of ${lines} lines are wider than 120 columns`;
	if (share > largestShare)
		complaints.push(
			...unbreakable,
			`${percent}, and ${(largestShare * 100).toFixed(1)} % may be: shorten some of the texts above`,
		);
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	console.log(percent);
}
