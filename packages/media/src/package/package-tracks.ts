import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { readTrack } from "../mp4/track.ts";
import type { Decision } from "../plan/decision.ts";
import type { Codec } from "../types.ts";
import { averageBandwidth } from "./bandwidth.ts";
import { withinCaps } from "./bitrate-caps.ts";
import { writeExtras } from "./extras.ts";
import type { Captions } from "./hls.ts";
import { type SoundTrack, type VideoTrack, writeManifests } from "./manifests.ts";

/** Finished tracks. Those that are delivered lie in the folder of the outputs. */
export type Placed = {
	/** H.264 first, and each codec from small to large. */
	readonly videos: readonly VideoTrack[];
	readonly sound: SoundTrack | null;
	/** Paths of the files that were placed now, relative to the folder of the outputs. */
	readonly files: readonly string[];
	readonly decisions: readonly Decision[];
};

/** Finished tracks with everything that is made of them. `files` are all outputs so far. */
export type Packaged = Placed;

const codecOrder: Record<Codec, number> = { h264: 0, av1: 1 };

/** Reads the encoded tracks, drops those above their caps and places the others beside those of `earlier`. */
export async function placeTracks(encode: Encode, earlier: Packaged | null): Promise<Placed> {
	const { plan, paths, directory } = encode;
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
	const before = earlier?.videos ?? [];
	const { dropped } = withinCaps([...before, ...sorted], plan.outputs.mp4_fallback);
	const drops = sorted.filter(({ track }) => dropped.some((one) => one.track === track));
	const fresh = sorted.filter((one) => !drops.includes(one));

	const files: string[] = [];
	const place = async <T extends SoundTrack>(one: T, extension: string): Promise<T> => {
		const file = `media/${one.track.name}.${extension}`;
		await mkdir(join(directory, "media"), { recursive: true });
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
	return { videos: [...before, ...placed], sound, files, decisions: drops.map(dropOf) };
}

/**
 * Makes the other outputs of placed tracks without another encode: web.mp4, pictures, playlists and manifest. If
 * `earlier` has pictures and web.mp4, only the playlists and the manifest are written again, over all tracks.
 */
export async function packageTracks(
	encode: Encode,
	{ videos, sound, files, decisions }: Placed,
	{ captions, earlier }: { readonly captions: Captions | null; readonly earlier: Packaged | null },
): Promise<Packaged> {
	const extras = earlier === null ? await writeExtras(encode, { videos, sound }) : { files: [], decisions: [] };
	const manifests = await writeManifests(encode, { videos, sound }, captions);
	return {
		files: [...new Set([...(earlier?.files ?? []), ...extras.files, ...manifests, ...files])],
		videos,
		sound,
		decisions: [...(earlier?.decisions ?? []), ...decisions, ...extras.decisions],
	};
}

const dropOf = ({ rendition, track }: VideoTrack): Decision => ({
	about: rendition.name,
	decision: "dropped",
	because: `it came to ${averageBandwidth(track)} bits a second, above its cap of ${rendition.maxBitrate}`,
});
