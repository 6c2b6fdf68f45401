import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { captionsName, captionsPlaylist } from "@reelmill/contracts/captions";
import { onlyKeyFrames } from "../mp4/key-frames.ts";
import type { Track } from "../mp4/track.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { layOutStoryboard, type Storyboard } from "../stills/storyboard.ts";
import type { CaptionTrack } from "./caption-track.ts";
import { chapterDataFile } from "./chapter-data-file.ts";
import { type CaptionsFile, dashManifest, type StoryboardFile } from "./dash.ts";
import { keyFramesName, masterPlaylist, mediaPlaylist, targetSeconds } from "./hls.ts";
import { type JobTracks, stillTracks, type VideoTrack } from "./job-tracks.ts";

/**
 * Writes the playlists and the manifest over the finished tracks. Both lead to the captions, whose files must be there,
 * and the playlist to the chapters, if they are among the paths of what else is there.
 * Returns the paths of what it wrote.
 * @param made.sheet how the storyboard is laid out (default: as that of the key frames of the smallest track)
 */
export async function writeManifests(
	{ plan, directory }: { readonly plan: EncodePlan; readonly directory: string },
	{ videos, sounds }: JobTracks,
	captions: readonly CaptionTrack[],
	{ beside, sheet }: { readonly beside: readonly string[]; readonly sheet?: Storyboard | null | undefined },
): Promise<string[]> {
	const served = videos.filter(({ rendition }) => rendition.delivered);
	const delivered = served.map(({ track }) => track);
	const heard = sounds.map(({ track, sound }) => ({ ...sound, track }));
	const address = (track: Track) => `../media/${track.name}.${track.channels > 0 ? "m4a" : "mp4"}`;
	const files = new Map<string, string>();
	if (plan.outputs.hls) {
		const chapters = beside.includes(chapterDataFile) ? { chapters: `../${chapterDataFile}` } : {};
		const keyFrames = await Promise.all(served.map(({ track, path }) => onlyKeyFrames(track, path)));
		files.set(
			"hls/master.m3u8",
			masterPlaylist(delivered, heard, perSecond(plan.frameRate), { keyFrames, captions, ...chapters }),
		);
		for (const track of captions)
			files.set(`hls/${captionsName(track)}`, captionsPlaylist(plan.durationSeconds, `../${track.path}`));
		const tracks = [...delivered, ...heard.map(({ track }) => track)];
		for (const track of tracks)
			files.set(`hls/${track.name}.m3u8`, mediaPlaylist(track, address(track), targetSeconds(tracks)));
		for (const track of keyFrames) {
			const playlist = mediaPlaylist(track, address(track), targetSeconds(tracks), { keyFrames: true });
			files.set(`hls/${keyFramesName(track)}.m3u8`, playlist);
		}
	}
	if (plan.outputs.dash) {
		const beside = await besideTracks({ plan, directory }, videos, captions, sheet);
		files.set("dash/manifest.mpd", dashManifest(delivered, heard, plan.frameRate, address, beside));
	}
	for (const folder of new Set([...files.keys()].map((file) => file.split("/")[0] as string)))
		await mkdir(join(directory, folder), { recursive: true });
	for (const [file, text] of files) await writeFile(join(directory, file), text);
	return [...files.keys()];
}

/** Returns the captions and the storyboard as the manifest names them. Their files must be there. */
async function besideTracks(
	{ plan, directory }: { readonly plan: EncodePlan; readonly directory: string },
	videos: readonly VideoTrack[],
	captions: readonly CaptionTrack[],
	given: Storyboard | null | undefined,
): Promise<{ captions: CaptionsFile[]; storyboard: StoryboardFile | null }> {
	const bytes = async (file: string) => (await stat(join(directory, file))).size;
	const tracks = plan.storyboard ? stillTracks(videos) : null;
	const sheet = given ?? (tracks && layOutStoryboard(tracks.smallest.track));
	return {
		captions: await Promise.all(
			captions.map(async (track) => ({ ...track, uri: `../${track.path}`, bytes: await bytes(track.path) })),
		),
		storyboard: sheet && {
			...{ ...sheet, uri: "../storyboard/$Number%05d$.jpg", framesPerTile: plan.gop * sheet.every },
			bytes: await bytes("storyboard/00001.jpg"),
		},
	};
}
