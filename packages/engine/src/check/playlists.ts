import type { Rendition } from "@reelmill/contracts";

/** What a stored set of outputs tells of its video. */
export type Described = {
	readonly renditions: readonly Rendition[];
	readonly durationSeconds: number | null;
	readonly width: number | null;
	readonly height: number | null;
};

/** Reads one text of the set; null where there is none, or it is none of ours. */
export type ReadText = (path: string) => Promise<string | null>;

const master = "hls/master.m3u8";
const mostPlaylists = 16;

const attribute = (line: string, name: string): string | null => {
	const at = line.indexOf(`${name}=`);
	if (at === -1) return null;
	const rest = line.slice(at + name.length + 1);
	if (rest.startsWith('"')) return rest.slice(1).split('"', 1)[0] ?? null;
	return rest.split(",", 1)[0] ?? null;
};
const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trim());

/** `../media/a.mp4` as a playlist in `hls/` means it; null for what leaves the set. */
function resolved(uri: string): string | null {
	const path = uri.startsWith("../") ? uri.slice(3) : `hls/${uri}`;
	return /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(path) ? path : null;
}

/** Pure: the seconds of a media playlist, and whether every byte that it names is among `files`. */
function readMediaPlaylist(text: string, files: ReadonlyMap<string, number>): { readonly seconds: number; readonly isWhole: boolean; readonly bytes: number } {
	let seconds = 0;
	let isWhole = linesOf(text)[0] === "#EXTM3U" && text.includes("#EXT-X-ENDLIST");
	let range: string | null = null;
	let at = 0;
	const needed = new Set<string>();
	const check = (uri: string | null, said: string | null) => {
		const path = uri === null ? null : resolved(uri);
		const size = path === null ? undefined : files.get(path);
		const [length, offset] = (said ?? "").split("@").map(Number);
		const end = said === null || length === undefined ? 0 : length + (offset ?? at);
		if (path === null || size === undefined || !(end <= size)) isWhole = false;
		else needed.add(path);
		at = end;
	};
	for (const line of linesOf(text)) {
		if (line.startsWith("#EXTINF:")) seconds += Number.parseFloat(line.slice(8)) || 0;
		else if (line.startsWith("#EXT-X-BYTERANGE:")) range = line.slice(17);
		else if (line.startsWith("#EXT-X-MAP:")) check(attribute(line, "URI"), attribute(line, "BYTERANGE"));
		else if (line !== "" && !line.startsWith("#")) {
			check(line, range);
			range = null;
		}
	}
	const bytes = [...needed].reduce((sum, path) => sum + (files.get(path) ?? 0), 0);
	return { seconds, isWhole: isWhole && needed.size > 0, bytes };
}

/** What the playlists of a set tell; null where one of them names what isn't there, and the set isn't whole. A set without a stream is whole, and tells nothing. */
export async function describeSet(files: ReadonlyMap<string, number>, read: ReadText): Promise<Described | null> {
	if (!files.has(master)) return { renditions: [], durationSeconds: null, width: null, height: null };
	const text = await read(master);
	if (text === null) return null;
	const lines = linesOf(text);
	if (lines[0] !== "#EXTM3U") return null;
	const groups = lines.filter((line) => line.startsWith("#EXT-X-MEDIA:")).map((line) => attribute(line, "URI"));
	const streams = lines.flatMap((line, index) => (line.startsWith("#EXT-X-STREAM-INF:") ? [{ line, uri: lines[index + 1] ?? "" }] : []));
	const uris = [...groups.filter((uri) => uri !== null), ...streams.map(({ uri }) => uri)];
	if (streams.length === 0 || uris.length > mostPlaylists) return null;
	const found = new Map<string, { seconds: number; bytes: number }>();
	for (const uri of uris) {
		const path = resolved(uri);
		const playlist = path !== null && files.has(path) ? await read(path) : null;
		const media = playlist === null ? null : readMediaPlaylist(playlist, files);
		if (media === null || !media.isWhole) return null;
		found.set(uri, media);
	}
	const renditions = streams.map(({ line, uri }): Rendition => {
		const [width = 0, height = 0] = (attribute(line, "RESOLUTION") ?? "").split("x").map((number) => Number.parseInt(number, 10) || 0);
		const { seconds = 0, bytes = 0 } = found.get(uri) ?? {};
		const codec = (attribute(line, "CODECS") ?? "").includes("av01") ? "av1" : "h264";
		return { name: uri.replace(/\.m3u8$/, ""), codec, width, height, bitrate: seconds > 0 ? Math.round((bytes * 8) / seconds) : 0 };
	});
	const largest = renditions.reduce((one, other) => (other.height > one.height ? other : one));
	const seconds = Math.max(...streams.map(({ uri }) => found.get(uri)?.seconds ?? 0));
	return { renditions, durationSeconds: seconds > 0 ? seconds : null, width: largest.width || null, height: largest.height || null };
}
