import type { Encode } from "./encode/encode.ts";
import { decodeFiles } from "./mp4/decode-files.ts";
import { averageBandwidth } from "./package/bandwidth.ts";
import type { Captions } from "./package/hls.ts";
import type { VideoTrack } from "./package/manifests.ts";
import { type Packaged, packageTracks, placeTracks } from "./package/package-tracks.ts";
import type { MadeRendition } from "./process-options.ts";
import { type Proved, prove } from "./prove.ts";
import { runBoth } from "./run/run-both.ts";

/** Outputs that are packaged and proved. */
export type FinishedTracks = Packaged & { readonly proof: Proved };

/**
 * Packages the tracks of an encode and proves the outputs.
 * @param made.seams the seconds at which the tracks were joined of chunks that were decoded before
 * @param made.earlier outputs that were finished before in the same directory; the playlists then list both
 */
export async function finishTracks(
	encode: Encode,
	{
		seams,
		captions,
		earlier,
	}: { readonly seams: readonly number[]; readonly captions: Captions | null; readonly earlier: FinishedTracks | null },
): Promise<FinishedTracks> {
	const placed = await placeTracks(encode, earlier);
	const [packaged] = await runBoth(
		(signal) => packageTracks({ ...encode, signal }, placed, { captions, earlier }),
		(signal) => decodeFiles({ ...encode, signal }, placed.files, seams),
		encode.signal,
	);
	const files = [...packaged.files, ...(captions === null ? [] : ["transcript.vtt"])].sort();
	const proof = await prove(encode, {
		files,
		videos: packaged.videos.map(({ track }) => track),
		audio: packaged.sound?.track ?? null,
		decoded: [...placed.files, ...(earlier?.files ?? [])],
	});
	return { ...packaged, files, proof };
}

/** Lists the renditions of finished tracks, as the caller of a job sees them. */
export const listRenditions = (videos: readonly VideoTrack[]): MadeRendition[] =>
	videos.map(({ rendition: { codec }, track }) => ({
		name: track.name,
		codec,
		width: track.width,
		height: track.height,
		bitrate: averageBandwidth(track),
	}));
