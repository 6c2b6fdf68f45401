import { basename, dirname, join } from "node:path";
import { cmafFlags } from "../encode/encode-arguments.ts";
import { readTrack, type Track } from "../mp4/track.ts";
import { readJoinable } from "../outro/joinable-streams.ts";
import { inListedOrder } from "../package/package-tracks.ts";
import type { Run } from "../run/programs.ts";
import type { Codec } from "../types.ts";
import type { CutSource } from "./cut-source.ts";
import { type Listing, readListing } from "./read-listing.ts";

/** The finished tracks that a cut is made of. */
type SourceTracks = Pick<Listing, "captions"> & {
	/** Those that are delivered are outputs of the source; one that isn't is only within its web.mp4. */
	readonly videos: readonly {
		readonly path: string;
		/** Of a track that is an output: its path among those. */
		readonly file?: string;
		readonly track: Track;
		readonly codec: Codec;
		readonly delivered: boolean;
	}[];
	readonly sounds: readonly (Listing["sounds"][number] & { readonly path: string; readonly file?: string })[];
};

/** Says whether a file is a whole rendition, and not the opening of one. */
const isRendition = (file: string): boolean => /^media\/(?!opening_).*\.mp4$/.test(file);

/**
 * Finds the tracks of finished outputs. If there is a web.mp4 and no other H.264, its tracks are copied out of it.
 * @param work an existing folder for tracks that are copied out
 * @throws {Error} when the folder has neither tracks nor a web.mp4
 */
export async function sourceTracks(run: Run, source: CutSource, work: string): Promise<SourceTracks> {
	const { folder, files } = source;
	const renditions = files.filter(isRendition);
	const ofWeb = async () => withinWeb(run, await source.whole("web.mp4"), work);
	if (renditions.length === 0) return ofWeb();
	const { sounds, captions } = await readListing(source.text, files);
	const videos: SourceTracks["videos"][number][] = [];
	for (const file of renditions) {
		const path = await source.head(file);
		const track = await readTrack(path, basename(path, ".mp4"));
		videos.push({ path, file, track, codec: track.codecs.startsWith("avc1") ? "h264" : "av1", delivered: true });
	}
	if (files.includes("web.mp4") && videos.every(({ codec }) => codec !== "h264"))
		videos.push(...(await ofWeb()).videos);
	const withPaths = sounds.map((sound) => {
		const file = `media/${sound.name}.m4a`;
		return { ...sound, file, path: join(folder, file) };
	});
	return { videos: videos.sort(inListedOrder), sounds: withPaths, captions };
}

/** Copies the tracks out of a plain MP4, as the encoder writes them. */
async function withinWeb(run: Run, web: string, work: string): Promise<SourceTracks> {
	const { video, audio } = await readJoinable(run, web);
	const [pictures, sound] = [join(work, "web-pictures.mp4"), join(work, "web-sound.m4a")];
	const copy = ["-c", "copy", "-map_metadata", "-1", "-f", "mp4", "-movflags"];
	const args = [
		...["-nostdin", "-v", "error", "-y", "-f", "mov", "-i", web],
		...["-map", "0:v", ...copy, cmafFlags.pictures, pictures],
		...(audio === null
			? []
			: ["-map", "0:a", ...copy, cmafFlags.sound, "-frag_duration", "2000000", "-use_editlist", "1", sound]),
	];
	await run.programs.run("ffmpeg", args, { signal: run.signal, reads: [web], writes: [dirname(pictures)] });
	const name = `h264_${Math.min(video.width, video.height)}`;
	const heard = {
		name: "audio",
		index: 0,
		language: null,
		title: null,
		channels: audio?.channels === 1 ? 1 : 2,
	} as const;
	return {
		videos: [{ path: pictures, track: await readTrack(pictures, name), codec: "h264", delivered: false }],
		sounds: audio === null ? [] : [{ ...heard, path: sound }],
		captions: [],
	};
}
