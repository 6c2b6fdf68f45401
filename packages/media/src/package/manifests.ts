import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Track } from "../mp4/track.ts";
import type { EncodePlan, PlannedRendition } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { dashManifest } from "./dash.ts";
import { type Captions, captionsPlaylist, masterPlaylist, mediaPlaylist, targetSeconds } from "./hls.ts";

/** A finished track and its file. */
export type SoundTrack = { readonly track: Track; readonly path: string };
export type VideoTrack = SoundTrack & { readonly rendition: PlannedRendition };

/** The finished tracks of a job: H.264 first, and each codec from small to large. */
export type JobTracks = { readonly videos: readonly VideoTrack[]; readonly sound: SoundTrack | null };

/**
 * Writes the playlists and the manifest over the finished tracks. If there are captions, the playlists lead to
 * transcript.vtt. Returns the paths of what it wrote.
 */
export async function writeManifests(
	{ plan, directory }: { readonly plan: EncodePlan; readonly directory: string },
	{ videos, sound }: JobTracks,
	captions: Captions | null,
): Promise<string[]> {
	const delivered = videos.filter(({ rendition }) => rendition.delivered).map(({ track }) => track);
	const address = (track: Track) => `../media/${track.name}.${track === sound?.track ? "m4a" : "mp4"}`;
	const files = new Map<string, string>();
	if (plan.outputs.hls) {
		files.set("hls/master.m3u8", masterPlaylist(delivered, sound?.track ?? null, perSecond(plan.frameRate), captions));
		if (captions !== null) files.set("hls/captions.m3u8", captionsPlaylist(plan.durationSeconds, "../transcript.vtt"));
		const tracks = [...delivered, ...(sound === null ? [] : [sound.track])];
		for (const track of tracks)
			files.set(`hls/${track.name}.m3u8`, mediaPlaylist(track, address(track), targetSeconds(tracks)));
	}
	if (plan.outputs.dash)
		files.set("dash/manifest.mpd", dashManifest(delivered, sound?.track ?? null, plan.frameRate, address));
	for (const folder of new Set([...files.keys()].map((file) => file.split("/")[0] as string)))
		await mkdir(join(directory, folder), { recursive: true });
	for (const [file, text] of files) await writeFile(join(directory, file), text);
	return [...files.keys()];
}
