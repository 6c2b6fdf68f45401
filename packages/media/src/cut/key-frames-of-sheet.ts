import { join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { workFolder } from "../encode/open-encode.ts";
import { type Fragment, fragmentOf, openFragments, writeFragments } from "../mp4/fragments.ts";
import { type FinishedTrack, stillTracks, type VideoTrack } from "../package/job-tracks.ts";
import { keyFramesPerTile } from "../stills/storyboard.ts";

/**
 * Copies the key frames that the storyboard shows, if it doesn't show all: nothing else is read then. Returns `null` if
 * all are needed.
 */
export async function keyFramesOfSheet(
	{ plan, directory }: Encode,
	videos: readonly VideoTrack[],
): Promise<FinishedTrack | null> {
	const smallest = stillTracks(videos)?.smallest;
	if (smallest === undefined || plan.moderationFrames) return null;
	const { track } = smallest;
	const every = keyFramesPerTile(track);
	if (every === 1) return null;
	const isShown = (_: unknown, n: number) => n % every === 0;
	const path = join(workFolder(directory), "key-frames.mp4");
	const file = await openFragments(smallest.path);
	try {
		const keys: Fragment[] = [];
		for (const fragment of file.fragments.filter(isShown))
			keys.push(fragmentOf((await file.samples(fragment)).slice(0, 1)));
		await writeFragments(path, file, keys);
	} finally {
		await file.close();
	}
	return { path, track: { ...track, segments: track.segments.filter(isShown) } };
}
