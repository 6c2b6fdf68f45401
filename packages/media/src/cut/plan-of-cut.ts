import type { SoundTrack, VideoTrack } from "../package/job-tracks.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import type { OutputSelection, Rational } from "../types.ts";
import type { Frames } from "./encode-piece.ts";

/**
 * Returns what packaging and proving need to know of a cut.
 */
export function planOfCut({
	outputs,
	moderationFrames,
	frameRate,
	frames,
	videos,
	sounds,
}: {
	readonly outputs: OutputSelection;
	readonly moderationFrames: boolean;
	readonly frameRate: Rational;
	readonly frames: Frames;
	readonly videos: readonly VideoTrack[];
	readonly sounds: readonly SoundTrack[];
}): EncodePlan {
	const count = frames.end - frames.first;
	const size = videos.reduce(
		(largest, { track: { width, height } }) => (width > largest.width ? { width, height } : largest),
		{ width: 0, height: 0 },
	);
	return {
		container: "mov",
		...{ anchor: null, frameRate, frames: count, gop: Math.round(2 * perSecond(frameRate)) },
		durationSeconds: count / perSecond(frameRate),
		picture: { index: 0, size, filters: [] },
		...{ decoding: null, watermark: null },
		sounds: sounds.map(({ sound }) => sound),
		renditions: videos.map(({ rendition }) => rendition),
		...{ outputs, moderationFrames },
		storyboard: outputs.hls || outputs.dash || outputs.mp4_fallback,
		report: { source: {}, sound_tracks: [], decisions: [] },
	};
}

/** Returns the kinds of files that outputs have. */
export const kindsOf = (files: readonly string[]): OutputSelection => ({
	hls: files.includes("hls/master.m3u8"),
	dash: files.includes("dash/manifest.mpd"),
	mp4_fallback: files.includes("web.mp4"),
	og_thumbnail: files.includes("og.jpg"),
});
