import { existsSync, globSync } from "node:fs";
import { join, posix } from "node:path";
import GithubSlugger from "github-slugger";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toString as textOf } from "mdast-util-to-string";
import { type Page, readPages } from "../../docs/.vitepress/build/pages.ts";
import { root } from "../setup/paths.mjs";

/** A link or a picture. `from` and `to` are the places of its address in the document. */
export type Link = {
	readonly isImage: boolean;
	readonly target: string;
	readonly line: number;
	readonly from: number;
	readonly to: number;
};

/** What leads out of the repository. */
export const outside = /^(?:[a-z]+:|\/\/)/;
/** The reader's own machine: nothing answers there when the document is read on the site. */
const ownMachine = /^https?:\/\/(?:localhost|127\.)/;
/** Code that begins so is a path from the repository's root. */
const fromRoot =
	/^(?:\.changeset|\.ci|\.github|apps|bench|deploy|docs|examples|faults|fuzz|packages|scripts)\/[^\s<>…]+$/;
/** In a package's README, code that begins so is a path from its package's folder. */
const fromPackage = /^(?:src|test|migrations|schema)\/[^\s<>…]+$/;

function* nodesOf(node: Nodes): Generator<Nodes> {
	yield node;
	if ("children" in node) for (const child of node.children) yield* nodesOf(child);
}

const lineOf = (node: Nodes): number => node.position?.start.line ?? 0;

/** Finds the links and pictures of a document; code has none. */
export const linksIn = (text: string): Link[] =>
	[...nodesOf(fromMarkdown(text))].flatMap((node) => {
		if (node.type !== "link" && node.type !== "image") return [];
		const end = node.position?.end.offset ?? 0;
		const from = text[end - 1] === ")" ? text.lastIndexOf("](", end) + 2 : (node.position?.start.offset ?? 0) + 1;
		return { isImage: node.type === "image", target: node.url, line: lineOf(node), from, to: end - 1 };
	});

/** Finds the anchors of a document's headings, as GitHub makes them. */
function anchorsIn(text: string): Set<string> {
	const slugger = new GithubSlugger();
	const headings = fromMarkdown(text).children.filter(({ type }) => type === "heading");
	return new Set(headings.map((heading) => slugger.slug(textOf(heading))));
}

/** Finds the paths that a document names as code, each from the repository's root. */
function pathsIn({ file, text }: Page): { readonly path: string; readonly line: number }[] {
	const folder = /^(?:apps|examples|packages)\/[^/]+\//.exec(file)?.[0];
	return [...nodesOf(fromMarkdown(text))].flatMap((node) => {
		if (node.type !== "inlineCode") return [];
		const path = node.value.replace(/:\d+$/, "");
		if (fromRoot.test(path)) return { path, line: lineOf(node) };
		return folder !== undefined && fromPackage.test(path) ? { path: folder + path, line: lineOf(node) } : [];
	});
}

/** Returns the file that a link of another file leads to. */
export const fileOf = (from: string, target: string): string =>
	posix.normalize(posix.join(posix.dirname(from), decodeURI(target))).replace(/\/$/, "");

/** Names each link that leads to no file, to no heading or to the reader's own machine, and each path of no file. */
export function complaintsAbout(pages: readonly Page[], exists: (path: string) => boolean): string[] {
	const anchors = new Map(pages.map(({ file, text }) => [file, anchorsIn(text)]));
	const complaintAbout = (file: string, target: string): string | undefined => {
		if (ownMachine.test(target)) return `${target} is nowhere on the site: write it as code`;
		if (outside.test(target)) return undefined;
		const [path = "", anchor] = target.split("#");
		const wanted = path === "" ? file : fileOf(file, path);
		if (!exists(wanted)) return `there is no ${wanted}`;
		if (anchor === undefined || anchors.get(wanted)?.has(anchor) !== false) return undefined;
		return `${wanted} has no heading #${anchor}`;
	};
	return pages.flatMap((page) => [
		...linksIn(page.text).flatMap(({ line, target }) => {
			const complaint = complaintAbout(page.file, target);
			return complaint === undefined ? [] : `${page.file}:${line}: ${complaint}`;
		}),
		...pathsIn(page)
			.filter(({ path }) => !exists(path))
			.map(({ path, line }) => `${page.file}:${line}: there is no ${path}`),
	]);
}

/** Proves that each link of the documents, and each path that they name, leads to what is there. */
export async function proveLinks(): Promise<void> {
	const pages = readPages();
	const complaints = complaintsAbout(
		pages,
		(path) => existsSync(join(root, path)) || globSync(path, { cwd: root }).length > 0,
	);
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	console.log(`${pages.reduce((sum, { text }) => sum + linksIn(text).length, 0)} links in ${pages.length} documents`);
}
