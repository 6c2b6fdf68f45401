import { mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { withinCaps } from "../encode/bitrate-caps.ts";
import type { Encode } from "../encode/encode.ts";
import { readTrack, type Track } from "../mp4/track.ts";
import type { Decision } from "../plan/decision.ts";
import type { Sample, Stills } from "../stills/key-frames.ts";
import type { Codec } from "../types.ts";
import { averageBandwidth } from "./bandwidth.ts";
import type { CaptionTrack } from "./caption-track.ts";
import { writeExtras } from "./extras.ts";
import type { FinishedTrack, SoundTrack, VideoTrack } from "./job-tracks.ts";
import { writeManifests } from "./manifests.ts";

/** Finished tracks. Those that are delivered lie in the folder of the outputs. */
export type Placed = {
	/** H.264 first, and each codec from small to large. */
	readonly videos: readonly VideoTrack[];
	/** The one that plays by default first, and those of 5.1 last. */
	readonly sounds: readonly SoundTrack[];
	/** Paths of the files that were placed now, relative to the folder of the outputs. */
	readonly files: readonly string[];
	readonly decisions: readonly Decision[];
};

/**
 * Finished tracks with everything that is made of them. `files` are all outputs so far, `samples` pictures of the
 * video.
 */
export type Packaged = Placed & { readonly samples: readonly Sample[] };

const codecOrder: Record<Codec, number> = { h264: 0, av1: 1 };

type Listed = { readonly codec: Codec; readonly track: Track };

/** Compares renditions as playlists and manifests list them: H.264 first, and each codec from small to large. */
export const inListedOrder = (a: Listed, b: Listed): number =>
	codecOrder[a.codec] - codecOrder[b.codec] || a.track.height - b.track.height;

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
	const sorted = tracks.sort((a, b) => inListedOrder({ ...a, ...a.rendition }, { ...b, ...b.rendition }));
	const before = earlier?.videos ?? [];
	const { dropped } = withinCaps([...before, ...sorted], plan.outputs.mp4_fallback);
	const drops = sorted.filter(({ track }) => dropped.some((one) => one.track === track));
	const fresh = sorted.filter((one) => !drops.includes(one));

	const files: string[] = [];
	const place = async <T extends VideoTrack | SoundTrack>(one: T, extension: string): Promise<T> => {
		const file = `media/${one.track.name}.${extension}`;
		await mkdir(join(directory, "media"), { recursive: true });
		await rename(one.path, join(directory, file));
		files.push(file);
		return { ...one, path: join(directory, file) };
	};
	const placed = await Promise.all(fresh.map((one) => (one.rendition.delivered ? place(one, "mp4") : one)));
	const isDelivered = placed.some(({ rendition }) => rendition.delivered);
	const sounds: SoundTrack[] = [];
	for (const sound of earlier === null ? plan.sounds : []) {
		const path = paths.audio(sound);
		// Sounds of further tracks are missing if they could not be decoded.
		if (sounds.length > 0 && (await stat(path).catch(() => null)) === null) continue;
		const one = { sound, track: await readTrack(path, sound.name), path };
		sounds.push(isDelivered ? await place(one, "m4a") : one);
	}
	const decisions = drops.map(dropOf);
	return { videos: [...before, ...placed], sounds: earlier?.sounds ?? sounds, files, decisions };
}

/**
 * Makes the other outputs of placed tracks without another encode: web.mp4, pictures, playlists and manifest. What
 * `earlier` has of them stays; only the playlists and the manifest are written again, over all tracks.
 * @param made.beside paths of what else is there, to which the playlists may lead (default: nothing)
 * @param made.stills the storyboard and samples, if they are there already (default: they are made)
 * @param made.looked the track whose key frames become pictures (default: the smallest)
 */
export async function packageTracks(
	encode: Encode,
	{ videos, sounds, files, decisions }: Placed,
	{
		captions,
		beside = [],
		earlier,
		...pictures
	}: {
		readonly captions: readonly CaptionTrack[];
		readonly beside?: readonly string[];
		readonly earlier: Packaged | null;
		readonly looked?: FinishedTrack;
		readonly stills?: Stills;
	},
): Promise<Packaged> {
	const extras = await writeExtras(encode, { videos, sounds }, earlier?.files ?? [], pictures);
	const manifests = await writeManifests(encode, { videos, sounds }, captions, {
		beside,
		sheet: pictures.stills?.sheet,
	});
	return {
		files: [...new Set([...(earlier?.files ?? []), ...extras.files, ...manifests, ...files])],
		videos,
		sounds,
		samples: earlier?.samples ?? extras.samples,
		decisions: [...(earlier?.decisions ?? []), ...decisions, ...extras.decisions],
	};
}

const dropOf = ({ rendition, track }: VideoTrack): Decision => ({
	about: rendition.name,
	decision: "dropped",
	because: `it came to ${averageBandwidth(track)} bits a second, above its cap of ${rendition.maxBitrate}`,
});
