import { readFile, stat } from "node:fs/promises";

const againMilliseconds = 5000;

/**
 * Makes a function that returns what `parse` makes of a file's text, at most 5 s old; of an empty text if the file
 * doesn't exist. The file is read again only if it has changed. Callers at once share one look.
 */
export function cachedFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
	let version = "";
	let parsed = parse("");
	let looked: { readonly at: number; readonly value: Promise<T> } | undefined;
	const look = async (): Promise<T> => {
		const { mtimeMs, size, ino } = await stat(path);
		const now = `${mtimeMs} ${size} ${ino}`;
		if (now !== version) parsed = parse(await readFile(path, "utf8"));
		version = now;
		return parsed;
	};
	return () => {
		const at = performance.now();
		if (looked === undefined || at - looked.at >= againMilliseconds) looked = { at, value: look().catch(() => parsed) };
		return looked.value;
	};
}
