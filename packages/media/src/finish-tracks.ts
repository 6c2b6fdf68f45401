import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Encode } from "./encode/encode.ts";
import { decodeFiles } from "./mp4/decode-files.ts";
import { provePackets, sumFile } from "./mp4/packet-sums.ts";
import { averageBandwidth } from "./package/bandwidth.ts";
import type { CaptionTrack } from "./package/caption-track.ts";
import type { VideoTrack } from "./package/job-tracks.ts";
import { type Packaged, type Placed, packageTracks, placeTracks } from "./package/package-tracks.ts";
import type { MadeRendition } from "./process-options.ts";
import { type Proved, prove } from "./prove.ts";
import { runAll, runBoth } from "./run/run-both.ts";

/** Outputs that are packaged and proved. */
export type FinishedTracks = Packaged & { readonly proof: Proved };

/**
 * Packages the tracks of an encode and proves the outputs.
 * @param made.seams the seconds at which the tracks were joined of chunks that were decoded before
 * @param made.captions tracks of captions whose files are there
 * @param made.beside paths of other outputs that are there
 * @param made.earlier outputs that were finished before in the same directory; the playlists then list both
 */
export async function finishTracks(
	encode: Encode,
	{
		seams,
		captions,
		beside,
		earlier,
	}: {
		readonly seams: readonly number[];
		readonly captions: readonly CaptionTrack[];
		readonly beside: readonly string[];
		readonly earlier: FinishedTracks | null;
	},
): Promise<FinishedTracks> {
	const placed = await placeTracks(encode, earlier);
	const [packaged] = await runBoth(
		(signal) => packageTracks({ ...encode, signal }, placed, { captions, beside, earlier }),
		(signal) => proveTracks({ ...encode, signal }, placed, seams),
		encode.signal,
	);
	const files = [...packaged.files, ...captions.map(({ path }) => path), ...beside].sort();
	const proof = await prove(encode, {
		files,
		videos: packaged.videos.map(({ track }) => track),
		sounds: packaged.sounds.map(({ track }) => track),
		decoded: [...placed.files, ...(earlier?.files ?? [])],
	});
	return { ...packaged, files, proof };
}

/**
 * Proves the tracks that were placed now: those of x264 by the sums of their packets, all others, and tracks that were
 * joined of chunks, by decoding them.
 */
async function proveTracks(encode: Encode, { videos, files }: Placed, seams: readonly number[]): Promise<void> {
	const isSummed = ({ rendition, path }: VideoTrack) =>
		seams.length === 0 &&
		files.includes(`media/${basename(path)}`) &&
		existsSync(sumFile(encode.paths.video(rendition)));
	const summed = videos.filter(isSummed);
	const others = files.filter((file) => !summed.some(({ path }) => file === `media/${basename(path)}`));
	await runAll(
		[
			...summed.map(({ rendition, path }) => (signal: AbortSignal) => {
				const sum = sumFile(encode.paths.video(rendition));
				return provePackets({ ...encode, signal }, { path, sum }, [path]);
			}),
			(signal: AbortSignal) => decodeFiles({ ...encode, signal }, others, seams),
		],
		encode.signal,
	);
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
