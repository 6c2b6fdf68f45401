/**
 * Returns the smallest playlist that a completion takes as `hls/master.m3u8`: `seconds` of one rendition, which is the
 * whole file at `uri`, seen from `hls/`.
 *
 * @example
 * ```ts
 * import { playlistOf } from "@reelmill/engine/testing";
 *
 * console.log(playlistOf(2).split("\n")[2]); // => #EXTINF:2,
 * ```
 */
export const playlistOf = (seconds: number, uri = "../web.mp4"): string =>
	`#EXTM3U\n#EXT-X-TARGETDURATION:${Math.max(1, Math.round(seconds))}\n#EXTINF:${seconds},\n${uri}\n#EXT-X-ENDLIST\n`;
