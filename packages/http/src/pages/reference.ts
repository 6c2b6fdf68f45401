import { hashed, readBuiltPage } from "./built-page.ts";
import { links } from "./links.ts";
import { createPage, type Page } from "./page.ts";
import { referencePolicy } from "./reference-policy.ts";

const root = "/docs";

/**
 * Returns the pages of the API reference by their paths: that of the built folder, with its hashed files, or a short
 * one that links to the documents if the server has no such folder.
 *
 * @throws {Error} when the folder has no index.html.
 */
export function readReference(directory: string | undefined): ReadonlyMap<string, Page> {
	if (directory === undefined) return new Map([[root, createPage(ofLinks, () => links)]]);
	const { index, files } = readBuiltPage(directory, referencePolicy);
	const assets = [...files].filter(([name]) => name.startsWith(hashed));
	return new Map([[root, index], ...assets.map(([name, page]) => [`${root}/${name}`, page] as const)]);
}

const ofLinks = {
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
