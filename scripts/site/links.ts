import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { Page } from "./pages.ts";
import { anchorOf } from "./vitepress/anchors.mjs";

type Link = { readonly line: number; readonly target: string };

/** A link or a picture in a line: what it shows, and where it leads. `from` and `to` are the places of its target. */
type Found = {
	readonly isImage: boolean;
	readonly label: string;
	readonly target: string;
	readonly from: number;
	readonly to: number;
};

/** Returns the place behind the bracket that closes the one at `open`; -1 if none does. Those in code don't count. */
function endOfLabel(line: string, open: number): number {
	let depth = 0;
	for (let at = open; at < line.length; at++) {
		if (line[at] === "`") at = Math.max(at, line.indexOf("`", at + 1));
		else if (line[at] === "[") depth += 1;
		else if (line[at] === "]" && --depth === 0) return at + 1;
	}
	return -1;
}

/** Finds the links and pictures of a line, those in the text of a link first. Code has none. */
function findLinks(line: string, begin = 0, end = line.length): Found[] {
	const found: Found[] = [];
	for (let at = begin; at < end; at++) {
		if (line[at] === "`") at = Math.max(at, line.indexOf("`", at + 1));
		if (line[at] !== "[") continue;
		const behind = endOfLabel(line, at);
		const to = line[behind] === "(" ? line.indexOf(")", behind) : -1;
		if (behind === -1 || to === -1) continue;
		const target = line.slice(behind + 1, to);
		found.push(...findLinks(line, at + 1, behind - 1));
		if (target !== "" && !/\s/.test(target)) {
			const label = line.slice(at + 1, behind - 1);
			found.push({ isImage: line[at - 1] === "!", label, target, from: behind + 1, to });
		}
		at = to;
	}
	return found;
}

/** A heading may hold emphasis, code and links: only their words count. */
function wordsOf(heading: string): string {
	const [first] = findLinks(heading);
	if (first === undefined) return heading.replaceAll(/[`*]/g, "");
	const start = first.from - first.label.length - 3;
	return wordsOf(`${heading.slice(0, start)}${first.label}${heading.slice(first.to + 1)}`);
}

/** Goes through the lines that aren't code. */
function* linesOf(text: string): Generator<readonly [number: number, line: string]> {
	let fence: string | undefined;
	for (const [index, line] of text.split("\n").entries()) {
		const mark = /^\s*(`{3,})/.exec(line)?.[1];
		if (fence === undefined && mark === undefined) yield [index + 1, line];
		else if (fence === undefined) fence = mark;
		else if (mark !== undefined && mark.length >= fence.length) fence = undefined;
	}
}

/** Returns the anchors of a document's headings; of equal ones, the later have a number. */
export function anchorsIn(text: string): Set<string> {
	const anchors = new Set<string>();
	for (const [, line] of linesOf(text)) {
		const heading = /^#{1,6} (.+)$/.exec(line)?.[1];
		if (heading === undefined) continue;
		const anchor = anchorOf(wordsOf(heading));
		let unique = anchor;
		for (let again = 1; anchors.has(unique); again++) unique = `${anchor}-${again}`;
		anchors.add(unique);
	}
	return anchors;
}

const outside = /^(?:[a-z]+:|\/\/)/;

/** Finds the links of a document to other documents, to files and to its own headings. */
export const linksIn = (text: string): Link[] =>
	[...linesOf(text)].flatMap(([line, content]) =>
		findLinks(content)
			.filter(({ target }) => !outside.test(target))
			.map(({ target }) => ({ line, target })),
	);

const fileOf = (from: string, target: string): string =>
	posix.normalize(posix.join(posix.dirname(from), decodeURI(target))).replace(/\/$/, "");

/** Names each link that leads to no file, or to no heading of the page that it names. `exists` tells of a file. */
export function brokenLinks(pages: readonly Page[], exists: (file: string) => boolean = existsSync): string[] {
	const anchors = new Map(pages.map(({ file, text }) => [file, anchorsIn(text)]));
	return pages.flatMap(({ file, text }) =>
		linksIn(text).flatMap(({ line, target }) => {
			const [path = "", anchor] = target.split("#");
			const wanted = path === "" ? file : fileOf(file, path);
			if (!exists(wanted)) return [`${file}:${line}: there is no ${wanted}`];
			const found = anchors.get(wanted);
			if (anchor === undefined || found === undefined || found.has(anchor)) return [];
			return [`${file}:${line}: ${wanted} has no heading #${anchor}`];
		}),
	);
}

/** Where files that are no pages are shown. */
const repository = "https://github.com/reelmill/reelmill/blob/main";

/**
 * Returns a page's text with its links as they are on the site: to pages by their place there, to pictures as copied,
 * to all else in the repository. Comments, which are for checks, are left out.
 */
export function textOnSite(page: Page, pages: readonly Page[], images: Map<string, string>): string {
	const places = new Map(pages.map(({ file, page: place }) => [file, place]));
	const relative = (to: string) => {
		const path = posix.relative(posix.dirname(page.page), to);
		return path.startsWith(".") ? path : `./${path}`;
	};
	const moved = (target: string, isImage: boolean): string => {
		const [path = "", anchor] = target.split("#");
		if (outside.test(target) || path === "") return target;
		const file = fileOf(page.file, path);
		const readme = posix.join(file, "README.md");
		const place = places.get(file) ?? places.get(readme);
		const hash = anchor === undefined ? "" : `#${anchor}`;
		if (place !== undefined) return `${relative(place)}${hash}`;
		if (!isImage) return `${repository}/${file}${hash}`;
		const copy = `images/${posix.basename(file)}`;
		images.set(file, copy);
		return relative(copy);
	};
	const text = withComponents(page.text);
	const lines = text.split("\n");
	for (const [number, line] of linesOf(text)) {
		// From the back, so that the places before stay.
		const found = findLinks(line).sort((a, b) => b.from - a.from);
		lines[number - 1] = found.reduce(
			(done, { from, to, target, isImage }) => `${done.slice(0, from)}${moved(target, isImage)}${done.slice(to)}`,
			line,
		);
	}
	return withoutComments(lines.join("\n"));
}

/** Puts what is shown on the site alone, `<!-- on the site: <Component /> -->`, in place of its comment. */
const withComponents = (text: string): string =>
	text.replaceAll(/^<!-- on the site: (<\w+ \/>) -->$/gm, "```raw\n$1\n```");

/** Leaves out the comments that begin a line, and the empty line behind them: they are for checks. */
export function withoutComments(text: string): string {
	const [first = "", ...others] = `\n${text}`.split("\n<!--");
	return [first, ...others.map((part) => part.slice(part.indexOf("-->") + 3).replace(/^\n\n?/, "\n"))]
		.join("")
		.slice(1);
}
