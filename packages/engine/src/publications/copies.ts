import type { ObjectStorage } from "../ports/index.ts";
import { isServed } from "../serving/index.ts";
import { publishedPrefix } from "../storage/index.ts";
import { folderOf, isCopied, type StoredOutputs } from "../videos/index.ts";

/** How many copies of one video run at once. */
const copiesAtOnce = 4;

/** A publication whose files are to be copied. */
export type Copied = { readonly video_id: string; readonly id: string; readonly outputs: StoredOutputs };

/**
 * Copies the files that viewers get of a video to where anyone may read them. Before every few copies it asks
 * `isWanted`, and returns false as soon as that does; some copies may exist then. Rejects if a file is missing, or
 * isn't copied whole.
 */
export async function copyFiles(
	storage: ObjectStorage,
	{ video_id: videoId, id, outputs }: Copied,
	isWanted: () => Promise<boolean>,
): Promise<boolean> {
	const { copy } = storage;
	if (copy === undefined) throw new Error("this storage can't copy, so that nothing is published at its own address");
	const prefix = publishedPrefix(videoId, id);
	const files = Object.entries(outputs.files).filter(([path]) => isServed(path) && isCopied(outputs, path));
	for (let at = 0; at < files.length; at += copiesAtOnce) {
		if (!(await isWanted())) return false;
		const copies = files.slice(at, at + copiesAtOnce).map(async ([path, size]) => {
			const copied = await copy(folderOf(outputs, path) + path, prefix + path);
			if (copied?.size !== size)
				throw new Error(`${path} is to be copied with ${size} bytes, and there are ${copied?.size ?? "none"}`);
		});
		// Each copy is awaited, so that none runs on after the answer.
		const settled = await Promise.allSettled(copies);
		for (const each of settled) if (each.status === "rejected") throw each.reason;
	}
	return true;
}
