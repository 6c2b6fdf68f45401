/**
 * The smallest playlist that a completion takes as `hls/master.m3u8`: `seconds` of one rendition, which is the whole
 * file at `uri`, seen from `hls/`.
 */
export const playlistOf = (seconds: number, uri = "../web.mp4"): string =>
	`#EXTM3U\n#EXT-X-TARGETDURATION:${Math.max(1, Math.round(seconds))}\n#EXTINF:${seconds},\n${uri}\n#EXT-X-ENDLIST\n`;
