import { dirname } from "node:path";
import { encodeTracks } from "../encode/encode-tracks.ts";
import { type Fragment, openFragments, writeFragments } from "../mp4/fragments.ts";
import type { PlannedRendition } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import type { Run } from "../run/programs.ts";
import type { Rational } from "../types.ts";

/** Frames of a track, counted from its beginning, without the last one. */
export type Frames = { readonly first: number; readonly end: number };

/** A track of pictures that is cut, and how its encoder is set. */
export type CutTrack = {
	readonly rendition: PlannedRendition;
	readonly frameRate: Rational;
	/** Path of the finished track. */
	readonly path: string;
};

/**
 * Encodes some frames of a finished track anew, for a track of the same settings. Of the track only the groups of
 * pictures with these frames are decoded. Nothing is proved: that is for whoever joins them.
 * @param pieces.frames one stretch, or two: the second begins with a key frame, and should be no longer than the first
 * @param pieces.isOneGroup whether only the first of a stretch is a key frame (default: one is every two seconds)
 * @param target takes the CMAF file
 * @throws {Error} when the frames can't be decoded or encoded
 */
export async function encodePieces(
	run: Run,
	{ rendition, frameRate, path }: CutTrack,
	{ frames, isOneGroup = false }: { readonly frames: readonly Frames[]; readonly isOneGroup?: boolean | undefined },
	target: string,
): Promise<void> {
	const file = await openFragments(path);
	const source = `${target}.from.mp4`;
	/** The places of the frames among those that are decoded. */
	const places: Frames[] = [];
	try {
		const ticks = (file.timescale * frameRate.denominator) / frameRate.numerator;
		const needed: Fragment[] = [];
		let decoded = 0;
		for (const fragment of file.fragments) {
			const [first, end] = [fragment.startTicks, fragment.startTicks + fragment.ticks].map((at) =>
				Math.round(at / ticks),
			) as [number, number];
			const inside = frames.filter((piece) => end > piece.first && first < piece.end);
			if (inside.length === 0) continue;
			for (const piece of inside)
				places.push({
					first: decoded + Math.max(first, piece.first) - first,
					end: decoded + Math.min(end, piece.end) - first,
				});
			decoded += end - first;
			needed.push(fragment);
		}
		await writeFragments(source, file, needed);
	} finally {
		await file.close();
	}
	const counts = frames.map(({ first, end }) => end - first);
	const [count, length] = [counts.reduce((sum, one) => sum + one, 0), counts[0] ?? 0];
	const usual = Math.round(2 * perSecond(frameRate));
	const rate = `${frameRate.numerator}/${frameRate.denominator}`;
	const { width, height } = rendition;
	const plan = {
		container: "mov" as const,
		anchor: null,
		durationSeconds: count / perSecond(frameRate),
		frameRate,
		frames: count,
		gop: counts.length > 1 ? length : isOneGroup ? Math.max(usual, count) : usual,
		picture: {
			index: 0,
			size: { width, height },
			filters: [
				`trim=end_frame=${places.at(-1)?.end}`,
				`select='${places.map(({ first, end }) => `between(n,${first},${end - 1})`).join("+")}'`,
				...[`setpts=N/(${rate})/TB`, `fps=${rate}:start_time=0`, "format=yuv420p", "setsar=1"],
			],
		},
		decoding: null,
		watermark: null,
		sounds: [],
		renditions: [rendition],
		outputs: { hls: false, dash: false, mp4_fallback: false, og_thumbnail: false },
		storyboard: false,
		moderationFrames: false,
		report: { source: {}, sound_tracks: [], decisions: [] },
	};
	const paths = { video: () => target, audio: () => target };
	await encodeTracks({ ...run, source, plan, paths, directory: dirname(target) });
}
