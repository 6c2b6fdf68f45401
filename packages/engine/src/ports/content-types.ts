const types = new Map(
	Object.entries({
		m3u8: "application/vnd.apple.mpegurl",
		mpd: "application/dash+xml",
		mp4: "video/mp4",
		m4s: "video/iso.segment",
		m4a: "audio/mp4",
		jpg: "image/jpeg",
		webp: "image/webp",
		json: "application/json",
		vtt: "text/vtt; charset=utf-8",
	}),
);

/**
 * Returns the fixed Content-Type of an output that viewers may get, by its ending; `null` for any other file.
 *
 * @example
 * ```ts
 * import { contentTypeOf } from "@reelmill/engine";
 *
 * console.log(contentTypeOf("hls/master.m3u8")); // => application/vnd.apple.mpegurl
 * ```
 */
export const contentTypeOf = (path: string): string | null => types.get(path.slice(path.lastIndexOf(".") + 1)) ?? null;
