import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { TrackPaths } from "../encode/encode-arguments.ts";
import { readTrack, type Track } from "../mp4/track.ts";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { Programs } from "../run/programs.ts";
import type { Codec } from "../types.ts";
import { averageBandwidth } from "./bandwidth.ts";
import { withinCaps } from "./bitrate-caps.ts";
import { writeExtras } from "./extras.ts";
import type { Captions } from "./hls.ts";
import { type Made, type Sound, writeManifests } from "./manifests.ts";

/** Finished tracks, in the folder of the outputs where they are delivered. */
export type Placed = {
	readonly made: readonly Made[];
	readonly sound: Sound | null;
	/** Paths of what was put there now, relative to the folder. */
	readonly files: readonly string[];
	readonly decisions: readonly Decision[];
};

/** The same with all that is made of them. */
export type Packaged = Placed & { readonly proof: { readonly videos: readonly Track[]; readonly audio: Track | null } };

const codecOrder: Record<Codec, number> = { h264: 0, av1: 1 };

/**
 * Reads encoded tracks, drops those above their caps, and puts the others in their places, beside those of `earlier`.
 */
export async function placeTracks(
	plan: EncodePlan,
	{
		paths,
		directory,
		earlier,
	}: { readonly paths: TrackPaths; readonly directory: string; readonly earlier: Packaged | null },
): Promise<Placed> {
	const tracks = await Promise.all(
		plan.renditions.map(async (rendition) => ({
			rendition,
			track: await readTrack(paths.video(rendition), rendition.name),
			path: paths.video(rendition),
		})),
	);
	const sorted = tracks.sort(
		(a, b) => codecOrder[a.rendition.codec] - codecOrder[b.rendition.codec] || a.track.height - b.track.height,
	);
	const before = earlier?.made ?? [];
	const { dropped } = withinCaps([...before, ...sorted], plan.outputs.mp4_fallback);
	const drops = sorted.filter(({ track }) => dropped.some((one) => one.track === track));
	const fresh = sorted.filter((one) => !drops.includes(one));

	const files: string[] = [];
	const place = async <T extends Sound>(one: T, extension: string): Promise<T> => {
		const file = `media/${one.track.name}.${extension}`;
		await rename(one.path, join(directory, file));
		files.push(file);
		return { ...one, path: join(directory, file) };
	};
	const placed = await Promise.all(fresh.map((one) => (one.rendition.delivered ? place(one, "mp4") : one)));
	let sound = earlier?.sound ?? null;
	if (earlier === null && plan.sound !== null) {
		sound = { track: await readTrack(paths.audio, "audio"), path: paths.audio };
		if (placed.some(({ rendition }) => rendition.delivered)) sound = await place(sound, "m4a");
	}
	return { made: [...before, ...placed], sound, files, decisions: drops.map(dropOf) };
}

/**
 * Makes the outputs of placed tracks: what comes of them without an encode, playlists and manifest. After `earlier`
 * pictures and web.mp4 are there, and the playlists are written anew over all.
 */
export async function packageTracks(
	programs: Programs,
	plan: EncodePlan,
	{ made, sound, files, decisions }: Placed,
	{
		directory,
		captions,
		earlier,
		signal,
	}: {
		readonly directory: string;
		readonly captions: Captions | null;
		readonly earlier: Packaged | null;
		readonly signal: AbortSignal | undefined;
	},
): Promise<Packaged> {
	const extras =
		earlier === null
			? await writeExtras(programs, plan, { made, sound, directory, signal })
			: { files: [], decisions: [] };
	const manifests = await writeManifests(plan, { made, sound, directory, captions });
	return {
		files: [...new Set([...(earlier?.files ?? []), ...extras.files, ...manifests, ...files])],
		made,
		sound,
		decisions: [...(earlier?.decisions ?? []), ...decisions, ...extras.decisions],
		proof: { videos: made.map(({ track }) => track), audio: sound?.track ?? null },
	};
}

const dropOf = ({ rendition, track }: Made): Decision => ({
	about: rendition.name,
	decision: "dropped",
	because: `it came to ${averageBandwidth(track)} bits a second, above its cap of ${rendition.maxBitrate}`,
});
