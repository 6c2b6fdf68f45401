import {
	type CaptionsFile,
	type CaptionTrack,
	captionsSets,
	captionsTags,
	chaptersTag,
	isChaptersTag,
} from "@reelmill/contracts/captions";
import { readManifest } from "./read-dash.ts";
import { readMasterPlaylist } from "./read-hls.ts";
import { linesOf } from "./text-lines.ts";

/**
 * Returns the master playlist with these captions in place of those that it lists. All other lines stay.
 *
 * @throws {UnreadableText} for anything that `readMasterPlaylist` doesn't read.
 */
export function listInMaster(text: string, tracks: readonly CaptionTrack[]): string {
	readMasterPlaylist(text);
	const group = tracks.length === 0 ? "" : ',SUBTITLES="captions"';
	const kept = linesOf(text, text.length)
		.filter((line) => !line.startsWith("#EXT-X-MEDIA:TYPE=SUBTITLES,"))
		.map((line) =>
			line.startsWith("#EXT-X-STREAM-INF:")
				? line.replace(/,SUBTITLES="[^"]*"/, "").replace(/(?=,CLOSED-CAPTIONS=|$)/, group)
				: line,
		);
	const first = kept.findIndex((line) => line.startsWith("#EXT-X-STREAM-INF:"));
	return `${[...kept.slice(0, first), ...captionsTags(tracks), ...kept.slice(first)].join("\n")}\n`;
}

/**
 * Returns the master playlist with the chapters of this file, or with none for `null`. All other lines stay.
 *
 * @throws {UnreadableText} for anything that `readMasterPlaylist` doesn't read.
 */
export function nameChapters(text: string, uri: string | null): string {
	readMasterPlaylist(text);
	const kept = linesOf(text, text.length).filter((line) => !isChaptersTag(line));
	const first = kept.findIndex((line) => /^#EXT-X-(?:MEDIA|STREAM-INF):/.test(line));
	const named = uri === null ? [] : [chaptersTag(uri)];
	return `${[...kept.slice(0, first), ...named, ...kept.slice(first)].join("\n")}\n`;
}

/**
 * Returns the manifest with these captions in place of those that it lists. All other lines stay.
 *
 * @throws {UnreadableText} for anything that `readManifest` doesn't read.
 */
export function listInManifest(text: string, tracks: readonly CaptionsFile[]): string {
	const { seconds } = readManifest(text);
	let isCaptions = false;
	const kept = linesOf(text, text.length).filter((line) => {
		if (isCaptions) {
			isCaptions = line.trim() !== "</AdaptationSet>";
			return false;
		}
		isCaptions = line.trim().startsWith('<AdaptationSet contentType="text"');
		return !isCaptions;
	});
	const images = kept.findIndex((line) => line.trim().startsWith('<AdaptationSet contentType="image"'));
	const at = images < 0 ? kept.findIndex((line) => line.trim() === "</Period>") : images;
	return `${[...kept.slice(0, at), ...captionsSets(tracks, seconds), ...kept.slice(at)].join("\n")}\n`;
}
