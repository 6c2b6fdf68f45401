import type { Track } from "../mp4/track.ts";
import type { PlannedRendition, PlannedSound } from "../plan/encode-plan.ts";

/** A finished track and its file. */
export type FinishedTrack = { readonly track: Track; readonly path: string };
export type VideoTrack = FinishedTrack & { readonly rendition: PlannedRendition };
export type SoundTrack = FinishedTrack & { readonly sound: PlannedSound };

/**
 * The finished tracks of a job: H.264 first, and each codec from small to large; the sound that plays by default first,
 * and those of 5.1 last.
 */
export type JobTracks = { readonly videos: readonly VideoTrack[]; readonly sounds: readonly SoundTrack[] };

const area = ({ track }: VideoTrack): number => track.width * track.height;

/**
 * Returns the tracks of which pictures are made: the smallest and the largest of H.264, or of all if none is H.264;
 * `null` if there are no tracks. They stay the same when AV1 is added later.
 */
export function stillTracks(
	videos: readonly VideoTrack[],
): { readonly smallest: VideoTrack; readonly largest: VideoTrack } | null {
	const h264 = videos.filter(({ rendition }) => rendition.codec === "h264");
	const usable = [...(h264.length > 0 ? h264 : videos)].sort((a, b) => area(a) - area(b));
	const [smallest, largest] = [usable[0], usable.at(-1)];
	return smallest === undefined || largest === undefined ? null : { smallest, largest };
}
