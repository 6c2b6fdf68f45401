import type { VideoRecord } from "../../videos/index.ts";

/** For folders, and for files that a worker adds to those that it was asked for. */
const spare = 32;
/** For the thumbnail, the poster, web.mp4, the storyboard's cues, the chapters and the manifests. */
const single = 9;
/** For twelve tracks of captions, the transcript among them, each with its playlist, and their folder. */
const ofCaptions = 25;
/** For a track, its playlist, and the playlist of its key frames. */
const ofTrack = 3;
/** Each key frame, one every two seconds, gives a frame for moderation. This leaves room for workers that make more. */
const framesPerSecond = 2;
const secondsPerSheet = 5;

/**
 * Returns how many entries an archive of this job's outputs may have: what the plan asks for at the longest allowed
 * duration, and some more.
 */
export function mostEntries({
	kind,
	plan,
	max_duration_seconds: seconds,
}: Pick<VideoRecord, "kind" | "plan" | "max_duration_seconds">): number {
	if (kind === "outro") return spare;
	const tracks = plan.renditions.length + 1;
	const frames = plan.moderation_frames ? Math.ceil(seconds * framesPerSecond) : 0;
	return spare + single + ofCaptions + tracks * ofTrack + frames + Math.ceil(seconds / secondsPerSheet);
}

/** The same for a job on an available video, which makes three files at most. */
export const mostEntriesOfLate = spare;

/** Returns the same for a chunk, which has only tracks. */
export const mostEntriesOfChunk = ({ plan }: Pick<VideoRecord, "plan">): number =>
	spare + (plan.renditions.length + 1) * ofTrack;
