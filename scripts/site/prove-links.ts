import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { brokenLinks, linksIn } from "./links.ts";
import { readPages } from "./pages.ts";

/** Proves that each link of the documents leads to a file, and to a heading that is there. */
export async function proveLinks(): Promise<void> {
	const pages = readPages();
	const complaints = brokenLinks(pages, (file) => existsSync(join(root, file)));
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	console.log(`${pages.reduce((sum, { text }) => sum + linksIn(text).length, 0)} links in ${pages.length} documents`);
}
