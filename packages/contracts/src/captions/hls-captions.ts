import { type CaptionTrack, transcriptFile } from "./caption-track.ts";
import { nameCaptions } from "./name-captions.ts";

/**
 * Returns the name of the playlist of a track of captions, which lies beside the master playlist.
 * @example
 * ```ts
 * import { captionsName } from "@reelmill/contracts/captions";
 *
 * console.log(captionsName({ path: "captions/2.vtt" })); // => captions_2.m3u8
 * ```
 */
export const captionsName = ({ path }: Pick<CaptionTrack, "path">): string =>
	path === transcriptFile ? "captions.m3u8" : path.replaceAll("/", "_").replace(/\.vtt$/, ".m3u8");

/**
 * Returns a media playlist of one segment: the whole WebVTT file (RFC 8216, section 3.5). Its times count from zero as
 * the tracks' do, so it needs no X-TIMESTAMP-MAP.
 * @example
 * ```ts
 * import { captionsPlaylist } from "@reelmill/contracts/captions";
 *
 * console.log(captionsPlaylist(7.6, "../transcript.vtt").includes("#EXT-X-TARGETDURATION:8")); // => true
 * ```
 */
export function captionsPlaylist(seconds: number, uri: string): string {
	const lines = [
		"#EXTM3U",
		"#EXT-X-VERSION:7",
		`#EXT-X-TARGETDURATION:${Math.max(1, Math.round(seconds))}`,
		"#EXT-X-MEDIA-SEQUENCE:0",
		"#EXT-X-PLAYLIST-TYPE:VOD",
	];
	return `${[...lines, `#EXTINF:${seconds.toFixed(6)},`, uri, "#EXT-X-ENDLIST"].join("\n")}\n`;
}

/** Says what a track is for those who can't hear, in Apple's words. */
function captionCharacteristics({ isSpoken, tellsSounds }: CaptionTrack): string {
	if (!isSpoken) return "";
	const told = ["transcribes-spoken-dialog", ...(tellsSounds ? ["describes-music-and-sound"] : [])];
	return `CHARACTERISTICS="${told.map((what) => `public.accessibility.${what}`).join(",")}",`;
}

/**
 * Returns the tags by which a master playlist leads to captions, in the group `captions`. None is shown unless the
 * viewer asks for it, but a player may choose by the viewer's language among those that differ in more than their name.
 * A language that isn't known is `und`, since Apple's rule 8.10 wants one of each.
 * @example
 * ```ts
 * import { captionsTags } from "@reelmill/contracts/captions";
 *
 * const track = { path: "captions/2.vtt", language: "de", title: null, isSpoken: false, tellsSounds: false, isForced: false };
 * console.log(captionsTags([track])[0]?.includes('NAME="Deutsch",LANGUAGE="de"')); // => true
 * ```
 */
export function captionsTags(tracks: readonly CaptionTrack[]): string[] {
	const seen = new Set<string>();
	return nameCaptions(tracks).map(({ track, name }) => {
		const [forced, told] = [track.isForced ? "YES" : "NO", captionCharacteristics(track)];
		const kind = `${track.language} ${forced} ${told}`;
		const autoselect = seen.has(kind) ? "NO" : "YES";
		seen.add(kind);
		const named = `NAME="${name}",LANGUAGE="${track.language ?? "und"}"`;
		const chosen = `DEFAULT=NO,AUTOSELECT=${autoselect},FORCED=${forced}`;
		return `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",${named},${chosen},${told}URI="${captionsName(track)}"`;
	});
}
