import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { contentTypeOf } from "@reelmill/node";
import { OutcomeError, UsageError } from "../failure.ts";
import { readText } from "../read-text.ts";

/** One video to bring in. `reference` is its `external_ref`, by which a later run knows it. */
export type Item = { reference: string } & ({ path: string } | { url: string });

/** A folder's GIFs are rarely meant as videos; in a list of addresses they can be. */
const isVideo = (name: string): boolean => ![undefined, "video/gif"].includes(contentTypeOf(name));
const longestReference = 255;

/**
 * Lists what is to be imported: the videos in a folder and in the folders in it, or the lines of a file, each an
 * address and, after a space, the reference that its video gets. Their order is that of names or lines.
 * @throws {UsageError} when a line is no address, or two of them have one reference
 */
export async function itemsIn(from: string, prefix: string): Promise<Item[]> {
	const found = await stat(from).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") throw new OutcomeError("ENOENT", `There is no folder and no file ${from}.`);
		throw error;
	});
	if (found.isFile() && isVideo(from))
		throw new UsageError(`${from} is a video, and no list of addresses: reelmill upload ${from} sends it.`);
	const items = found.isDirectory() ? await inFolder(from, prefix) : listed(await readText(from), from, prefix);
	const known = new Set<string>();
	for (const { reference } of items) {
		if (known.has(reference)) throw new UsageError(`Two videos would have the reference ${reference}.`);
		if (reference.length > longestReference)
			throw new UsageError(`A reference has at most ${longestReference} characters: ${reference}`);
		known.add(reference);
	}
	return items;
}

async function inFolder(folder: string, prefix: string): Promise<Item[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile() && isVideo(entry.name))
		.map((entry) => resolve(join(entry.parentPath, entry.name)))
		.sort()
		.map((path) => ({ path, reference: `${prefix}${relative(resolve(folder), path).split(sep).join("/")}` }));
}

const listed = (text: string, file: string, prefix: string): Item[] =>
	text.split(/\r?\n/).flatMap((line, index): Item[] => {
		const trimmed = line.trim();
		if (trimmed === "" || trimmed.startsWith("#")) return [];
		const [url = "", ...rest] = trimmed.split(/\s+/);
		if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
			throw new UsageError(`Line ${index + 1} of ${file} is no address such as https://files.example.com/a.mp4.`);
		return [{ url, reference: `${prefix}${rest.join(" ") || url}` }];
	});
