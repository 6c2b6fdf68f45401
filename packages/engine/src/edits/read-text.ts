import { longestPlaylist } from "../playlists/index.ts";
import { createInTime, readRecorded, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { folderOf, type StoredOutputs } from "../videos/index.ts";

/**
 * Returns the text of a finished file; `null` if the video has no such file, or if it has more bytes than
 * `largest` (default: what a playlist may have).
 *
 * @throws {ReelmillError} `storage_backend_unsupported` when the storage gives no bytes; `storage_unavailable` when it
 * doesn't give the file in its size.
 */
export type ReadText = (path: string, largest?: number) => Promise<string | null>;

/** Creates readers of the texts of finished videos. */
export function createReadText(
	{ clock }: Pick<Parts, "clock">,
	stores: Stores,
): (outputs: Pick<StoredOutputs, "prefix" | "added" | "files">, profileId: string | null) => ReadText {
	const inTime = createInTime(clock);
	return (outputs, profileId) =>
		async (path, largest = longestPlaylist) => {
			const size = Object.hasOwn(outputs.files, path) ? (outputs.files[path] as number) : null;
			if (size === null || size > largest) return null;
			const file = { key: folderOf(outputs, path) + path, size, largest, isOfType: () => true };
			const bytes = await readRecorded((await stores.of(profileId)).outputs, file, inTime);
			return bytes && new TextDecoder().decode(bytes);
		};
}
