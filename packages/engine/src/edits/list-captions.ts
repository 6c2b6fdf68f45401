import { type CaptionTrack, captionsName, captionsPlaylist } from "@reelmill/contracts/captions";
import { listInManifest, listInMaster, UnreadableText } from "../playlists/index.ts";
import type { StoredCaptions, VideoRecord } from "../videos/index.ts";
import { currentCaptions, heardCaptions } from "./current-captions.ts";
import type { EditedFiles } from "./edited-outputs.ts";
import type { FinishedVideo } from "./edits.ts";
import type { ReadText } from "./read-text.ts";

const masterPath = "hls/master.m3u8";
const manifestPath = "dash/manifest.mpd";

const trackOf = ({ path, language, title, kind, tells_sounds, is_forced }: StoredCaptions): CaptionTrack => ({
	...{ path, language, title, isSpoken: kind === "captions", tellsSounds: tells_sounds, isForced: is_forced },
});

/** What the captions of a video change to. `texts` are files that are new, by path; `removed` those that go. */
type CaptionsChange = {
	readonly captions: readonly StoredCaptions[];
	readonly texts: ReadonlyMap<string, Uint8Array>;
	readonly removed?: readonly string[];
};

/**
 * Returns the change of a video's files by which its playlists and its manifest list these captions and no others.
 * Playlists that can't be read, since another worker made them, stay as they are.
 */
export async function listCaptions(
	{ outputs, duration_seconds }: Pick<FinishedVideo, "outputs"> & Pick<VideoRecord, "duration_seconds">,
	read: ReadText,
	{ captions, texts, removed = [] }: CaptionsChange,
): Promise<EditedFiles> {
	const files = new Map(texts);
	const gone = new Set(removed);
	const tracks = captions.map(trackOf);
	const write = (path: string, text: string) => files.set(path, Buffer.from(text));
	const master = await rewritten(read, masterPath, (text) => listInMaster(text, tracks));
	if (master !== null) {
		write(masterPath, master);
		const playlists = new Map(tracks.map((track) => [`hls/${captionsName(track)}`, track]));
		for (const path of removed) {
			const playlist = `hls/${captionsName({ path })}`;
			if (Object.hasOwn(outputs.files, playlist) && !playlists.has(playlist)) gone.add(playlist);
		}
		for (const [path, track] of playlists)
			if (!Object.hasOwn(outputs.files, path)) write(path, captionsPlaylist(duration_seconds ?? 1, `../${track.path}`));
	}
	const sized = tracks.map((track) => ({
		...{ ...track, uri: `../${track.path}` },
		bytes: texts.get(track.path)?.byteLength ?? outputs.files[track.path] ?? 0,
	}));
	const manifest = await rewritten(read, manifestPath, (text) => listInManifest(text, sized));
	if (manifest !== null) write(manifestPath, manifest);
	return { files, removed: [...gone], captions };
}

/**
 * Returns the change by which players are offered the transcript that was made late, and whose file is there; `null` if
 * nothing lists captions, or if the tenant has given others in its language meanwhile.
 */
export async function listTranscript(
	video: Parameters<typeof currentCaptions>[0] & Parameters<typeof listCaptions>[0],
	read: ReadText,
): Promise<EditedFiles | null> {
	const before = (await currentCaptions(video, read)).filter((track) => !track.is_transcript);
	if (before.some((track) => !track.is_forced && track.language === video.language)) return null;
	const captions = [heardCaptions(video.language), ...before];
	const edit = await listCaptions(video, read, { captions, texts: new Map() });
	return edit.files.size === 0 ? null : edit;
}

/** Returns a playlist or a manifest as `list` changes it; `null` if there is none that can be read. */
export async function rewritten(read: ReadText, path: string, list: (text: string) => string): Promise<string | null> {
	const text = await read(path);
	try {
		return text === null ? null : list(text);
	} catch (error) {
		if (error instanceof UnreadableText) return null;
		throw error;
	}
}
