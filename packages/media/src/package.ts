import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { TrackPaths } from "./arguments.ts";
import { averageBandwidth } from "./bandwidth.ts";
import { withinCaps } from "./caps.ts";
import { writeExtras } from "./extras.ts";
import type { Captions } from "./hls.ts";
import { type Made, type Sound, writeManifests } from "./manifests.ts";
import type { Decision, EncodePlan } from "./plan.ts";
import type { Programs } from "./programs.ts";
import type { Proof } from "./prove.ts";
import { readTrack } from "./track.ts";
import type { Codec } from "./types.ts";

/** Finished tracks with all that is made of them, in the folder of the outputs. */
export type Packaged = {
	readonly files: readonly string[];
	readonly made: readonly Made[];
	readonly sound: Sound | null;
	readonly decisions: readonly Decision[];
	readonly proof: Pick<Proof, "videos" | "audio">;
};

const codecOrder: Record<Codec, number> = { h264: 0, av1: 1 };

/**
 * Makes the outputs of encoded tracks: what comes of them without an encode, playlists and manifest, and the tracks in their places. With `earlier`, the tracks are
 * added to those: pictures and web.mp4 are there, and the playlists are written anew over all.
 */
export async function packageTracks(
	plan: EncodePlan,
	{
		programs,
		paths,
		directory,
		captions,
		earlier,
		signal,
	}: {
		readonly programs: Programs;
		readonly paths: TrackPaths;
		readonly directory: string;
		readonly captions: Captions | null;
		readonly earlier: Packaged | null;
		readonly signal: AbortSignal | undefined;
	},
): Promise<Packaged> {
	const tracks = await Promise.all(
		plan.renditions.map(async (rendition) => ({ rendition, track: await readTrack(paths.video(rendition), rendition.name), path: paths.video(rendition) })),
	);
	const sorted = tracks.sort((a, b) => codecOrder[a.rendition.codec] - codecOrder[b.rendition.codec] || a.track.height - b.track.height);
	const before = earlier?.made ?? [];
	const { dropped } = withinCaps([...before, ...sorted], plan.outputs.mp4_fallback);
	const drops = dropped.filter(({ track }) => sorted.some((one) => one.track === track));
	const fresh = sorted.filter((one) => !drops.includes(one));
	const made = [...before, ...fresh];
	const sound = earlier?.sound ?? (plan.sound === null ? null : { track: await readTrack(paths.audio, "audio"), path: paths.audio });

	const extras = earlier === null ? await writeExtras(programs, plan, { made, sound, directory, signal }) : { files: [], decisions: [] };
	const manifests = await writeManifests(plan, { made, sound, directory, captions });
	const kept = fresh.filter(({ rendition }) => rendition.delivered);
	const moved: string[] = [];
	for (const { track, path } of [...kept, ...(earlier === null && sound !== null && kept.length > 0 ? [sound] : [])]) {
		const file = `media/${track.name}.${track === sound?.track ? "m4a" : "mp4"}`;
		await rename(path, join(directory, file));
		moved.push(file);
	}
	return {
		files: [...new Set([...(earlier?.files ?? []), ...extras.files, ...manifests, ...moved])],
		made,
		sound,
		decisions: [...(earlier?.decisions ?? []), ...drops.map(dropOf), ...extras.decisions],
		proof: { videos: made.map(({ track }) => track), audio: sound?.track ?? null },
	};
}

const dropOf = ({ rendition, track }: Made): Decision => ({
	about: rendition.name,
	decision: "dropped",
	because: `it came to ${averageBandwidth(track)} bits a second, above its cap of ${rendition.maxBitrate}`,
});
