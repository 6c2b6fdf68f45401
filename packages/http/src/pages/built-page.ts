import { getMimeType } from "hono/utils/mime";
import { readFiles } from "./files.ts";
import { type CodedFile, createFilePage, type Page } from "./page.ts";

/** The folder of a built page whose files the build names by a hash of what they hold. */
export const hashed = "assets/";
const cached = "public, max-age=31536000, immutable";

/** A page as Vite built it, ready to be served. */
export type BuiltPage = {
	/** The document. */
	readonly index: Page;
	/** All files, the document too, by their path in the folder. */
	readonly files: ReadonlyMap<string, Page>;
};

/**
 * Reads a built page from its folder, now. Browsers keep its hashed files for good, and ask for the others anew each
 * time.
 *
 * @throws {Error} when the folder has no index.html.
 */
export function readBuiltPage(directory: string, contentSecurityPolicy: string): BuiltPage {
	const pageOf = ([name, file]: [string, CodedFile]): [string, Page] => {
		const headers = {
			"content-type": getMimeType(name) ?? "application/octet-stream",
			"cache-control": name.startsWith(hashed) ? cached : "no-cache",
			"content-security-policy": contentSecurityPolicy,
			"cross-origin-opener-policy": "same-origin",
			"cross-origin-resource-policy": "same-origin",
			"referrer-policy": "no-referrer",
		};
		return [name, createFilePage(headers, file)];
	};
	const files = new Map([...readFiles(directory)].map(pageOf));
	return { files, index: files.get("index.html") as Page };
}
