import type { VideoRecord } from "../videos/index.ts";

/** Folders, and what a worker puts beside what is asked of it. */
const spare = 32;
/** The thumbnail, web.mp4, the transcript and the storyboard's cues; manifests and the captions' playlist. */
const single = 8;
/** A track and its playlist. */
const ofTrack = 2;
/**
 * A frame for moderation is made of each key frame, which comes every two seconds; two a second leave room for workers
 * that make more.
 */
const framesPerSecond = 2;
const secondsPerSheet = 5;

/**
 * How many entries an archive of this job's outputs may have: what its plan asks for at the longest duration that it
 * allows, and some to spare.
 */
export function mostEntries({
	kind,
	plan,
	max_duration_seconds: seconds,
}: Pick<VideoRecord, "kind" | "plan" | "max_duration_seconds">): number {
	if (kind === "outro") return spare;
	const tracks = plan.renditions.length + 1;
	const frames = plan.moderation_frames ? Math.ceil(seconds * framesPerSecond) : 0;
	return spare + single + tracks * ofTrack + frames + Math.ceil(seconds / secondsPerSheet);
}

/** The same for a transcript, which is one file. */
export const mostEntriesOfTranscript = spare;

/** The same for a chunk, which is the tracks alone. */
export const mostEntriesOfChunk = ({ plan }: Pick<VideoRecord, "plan">): number =>
	spare + (plan.renditions.length + 1) * ofTrack;
