const types: Readonly<Record<string, string>> = {
	m3u8: "application/vnd.apple.mpegurl",
	mpd: "application/dash+xml",
	mp4: "video/mp4",
	m4s: "video/iso.segment",
	m4a: "audio/mp4",
	jpg: "image/jpeg",
	vtt: "text/vtt; charset=utf-8",
	json: "application/json",
};

/** By the key's ending, for those who read the bucket itself: a CDN at `public_base_url`. */
export const contentTypeOf = (key: string): string => types[key.slice(key.lastIndexOf(".") + 1)] ?? "application/octet-stream";
