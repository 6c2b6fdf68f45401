import type { SurveyedObject } from "../ports/index.ts";

/** A complete-looking set of outputs in a video's folder: where it lies, and its files by path, with their sizes. */
export type StoredSet = {
	readonly prefix: string;
	readonly files: ReadonlyMap<string, number>;
	readonly firstAt: Date;
	readonly lastAt: Date;
};

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/**
 * An attempt's own folder, or that of an archive in it. Chunks, late transcripts and what is played ahead lie in
 * folders with other names.
 */
const ofAttempt = new RegExp(`^(${uuid}/(?:${uuid}/)?)(?!${uuid}/)(.+)$`);
const playable = ["hls/master.m3u8", "dash/manifest.mpd", "web.mp4"];

/**
 * Returns the youngest set in a folder that has every path of `wanted` or, if nobody knows what is wanted, something
 * that plays; `null` if there is none. `files` are by path below the folder. Pure.
 */
export function findSet(
	folder: string,
	files: ReadonlyMap<string, SurveyedObject>,
	wanted: readonly string[] | null,
): StoredSet | null {
	const byPrefix = Map.groupBy(files, ([path]) => ofAttempt.exec(path)?.[1] ?? "");
	let best: StoredSet | null = null;
	for (const [prefix, entries] of byPrefix) {
		if (prefix === "") continue;
		const found = new Map(entries.map(([path, { size }]) => [path.slice(prefix.length), size]));
		const isComplete =
			wanted === null
				? playable.some((path) => found.has(path))
				: wanted.length > 0 && wanted.every((path) => found.has(path));
		if (!isComplete) continue;
		const times = entries.map(([, { modifiedAt }]) => modifiedAt.getTime());
		const set = {
			prefix: `${folder}/${prefix}`,
			files: found,
			firstAt: new Date(Math.min(...times)),
			lastAt: new Date(Math.max(...times)),
		};
		if (best === null || set.lastAt > best.lastAt) best = set;
	}
	return best;
}
