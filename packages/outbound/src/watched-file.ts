import { readFile, stat } from "node:fs/promises";

const againMilliseconds = 5000;

/**
 * What `parse` makes of a file's text, as it was at most 5 s ago; of an empty one where there is none. It is read again
 * only where it has changed. Callers at once share one look.
 */
export function watchedFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
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
