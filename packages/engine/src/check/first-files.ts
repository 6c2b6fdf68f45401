import { outputsWith } from "../edits/index.ts";
import { posterFiles, type StoredOutputs } from "../videos/index.ts";

const listing = ["hls/master.m3u8", "dash/manifest.mpd"];

/**
 * Returns outputs in which the first file stands again for each edited one that is missing, if it is stored: an edit
 * leaves it where it was. `sizeOfFirst` returns its size, or `undefined`. If a playlist or the manifest comes back,
 * captions are those that it lists, and missing files that only the edit had are gone. If a picture comes back, the
 * poster is the one that was chosen automatically. Returns the same outputs if nothing comes back. Pure.
 */
export function withFirstFiles(
	outputs: StoredOutputs,
	missing: readonly string[],
	sizeOfFirst: (path: string) => number | undefined,
): StoredOutputs {
	const edited = missing.filter((path) => Object.hasOwn(outputs.added ?? {}, path));
	const restored = Object.fromEntries(
		edited.flatMap((path) => {
			const size = sizeOfFirst(path);
			return size === undefined ? [] : [[path, size]];
		}),
	);
	if (Object.keys(restored).length === 0) return outputs;
	const isBack = (paths: readonly string[]) => paths.some((path) => Object.hasOwn(restored, path));
	const removed = isBack(listing) ? edited.filter((path) => !Object.hasOwn(restored, path)) : [];
	const { captions, poster, ...others } = outputsWith(outputs, "", { files: new Map(), removed, restored });
	return {
		...others,
		...(captions !== undefined && !isBack(listing) && { captions }),
		...(poster !== undefined && !isBack(posterFiles) && { poster }),
	};
}
