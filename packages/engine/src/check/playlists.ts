import type { Rendition } from "@reelmill/contracts";
import {
	leadsTo,
	type MediaPlaylist,
	readMasterPlaylist,
	readMediaPlaylist,
	UnreadableText,
} from "../playlists/index.ts";

/** What a stored set of outputs tells of its video. */
export type Described = {
	readonly renditions: readonly Rendition[];
	readonly durationSeconds: number | null;
	readonly width: number | null;
	readonly height: number | null;
};

/** Reads one text of the set; `null` if there is none, or if it is none of ours. */
export type ReadText = (path: string) => Promise<string | null>;

const master = "hls/master.m3u8";
/** Four renditions, each with its key frames, four sounds, each as stereo and 5.1, and twelve tracks of captions. */
const mostPlaylists = 28;

/** Returns a playlist's seconds, and how many bytes its files have; `null` if it names bytes that aren't there. */
function measure(
	path: string,
	{ map, segments }: MediaPlaylist,
	files: ReadonlyMap<string, number>,
): { readonly seconds: number; readonly bytes: number } | null {
	const needed = new Map<string, number>();
	for (const { uri, part } of [...(map === null ? [] : [map]), ...segments]) {
		const target = leadsTo(path, uri);
		const size = files.get(target);
		if (size === undefined || (part !== null && part.offset + part.length > size)) return null;
		needed.set(target, size);
	}
	return {
		seconds: segments.reduce((sum, { seconds }) => sum + seconds, 0),
		bytes: [...needed.values()].reduce((sum, size) => sum + size, 0),
	};
}

/**
 * Returns what the playlists of a set tell; `null` if one of them can't be read or names what isn't there: then the set
 * isn't whole. A set without a stream is whole, and tells nothing.
 */
export async function describeSet(files: ReadonlyMap<string, number>, read: ReadText): Promise<Described | null> {
	if (!files.has(master)) return { renditions: [], durationSeconds: null, width: null, height: null };
	try {
		return await describeStreams(files, read);
	} catch (error) {
		if (error instanceof UnreadableText) return null;
		throw error;
	}
}

async function describeStreams(files: ReadonlyMap<string, number>, read: ReadText): Promise<Described | null> {
	const text = await read(master);
	if (text === null) return null;
	const { variants, others } = readMasterPlaylist(text);
	const uris = [...new Set([...variants.map(({ uri }) => uri), ...others])];
	if (uris.length > mostPlaylists) return null;
	const found = new Map<string, { readonly seconds: number; readonly bytes: number }>();
	for (const uri of uris) {
		const path = leadsTo(master, uri);
		const playlist = files.has(path) ? await read(path) : null;
		const measured = playlist === null ? null : measure(path, readMediaPlaylist(playlist), files);
		if (measured === null) return null;
		found.set(uri, measured);
	}
	// A rendition is there once for each group of sounds.
	const different = variants.filter(({ uri }, n) => variants.findIndex((one) => one.uri === uri) === n);
	const renditions = different.map(({ uri, codecs, width, height }): Rendition => {
		const { seconds = 0, bytes = 0 } = found.get(uri) ?? {};
		const codec = codecs.startsWith("av01") ? "av1" : "h264";
		return {
			name: uri.replace(/\.m3u8$/, ""),
			codec,
			width,
			height,
			bitrate: seconds > 0 ? Math.round((bytes * 8) / seconds) : 0,
		};
	});
	const largest = renditions.reduce((one, other) => (other.height > one.height ? other : one));
	const seconds = Math.max(...variants.map(({ uri }) => found.get(uri)?.seconds ?? 0));
	return {
		renditions,
		durationSeconds: seconds > 0 ? seconds : null,
		width: largest.width || null,
		height: largest.height || null,
	};
}
