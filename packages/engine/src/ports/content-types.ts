const types: Readonly<Record<string, string>> = {
	m3u8: "application/vnd.apple.mpegurl",
	mpd: "application/dash+xml",
	mp4: "video/mp4",
	m4s: "video/iso.segment",
	m4a: "audio/mp4",
	jpg: "image/jpeg",
	vtt: "text/vtt; charset=utf-8",
};

/** The fixed Content-Type of an output that is delivered, by its ending; null for a file that is never delivered. */
export const contentTypeOf = (path: string): string | null => types[path.slice(path.lastIndexOf(".") + 1)] ?? null;
