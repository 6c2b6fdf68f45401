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

const contentTypeOf = (key: string): string => types[key.slice(key.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/** What is told of an output to those who read the bucket itself, as the delivery plane tells it of a public video: what a key names never changes. */
export const headersOf = (key: string) => ({ ContentType: contentTypeOf(key), CacheControl: "public, max-age=86400" }) as const;
