import { join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { workFolder } from "../encode/open-encode.ts";
import { openFragments, writeFragments } from "../mp4/fragments.ts";
import { type FinishedTrack, stillTracks, type VideoTrack } from "../package/job-tracks.ts";
import { keyFramesPerTile } from "../stills/storyboard.ts";

/**
 * Copies the groups of pictures that the storyboard shows, if it doesn't show all: no others are decoded then. Returns
 * `null` if all are needed.
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
		await writeFragments(path, file, file.fragments.filter(isShown));
	} finally {
		await file.close();
	}
	return { path, track: { ...track, segments: track.segments.filter(isShown) } };
}
