import { linesOf, type Part, seconds, UnreadableText, wholeNumber } from "./text-lines.ts";

export type Variant = {
	readonly uri: string;
	readonly codecs: string;
	readonly width: number;
	readonly height: number;
};
/**
 * What a master playlist leads to. `variants` have a picture, `others` are all other playlists, and `data` are the files
 * of session data.
 */
export type MasterPlaylist = {
	readonly variants: readonly Variant[];
	readonly others: readonly string[];
	readonly data: readonly string[];
};
/** Captions as a playlist or a manifest lists them. A language that isn't known is `und`. */
export type ListedCaptions = {
	readonly uri: string;
	readonly name: string | null;
	readonly language: string;
	readonly isForced: boolean;
	readonly isSpoken: boolean;
	readonly tellsSounds: boolean;
};
/** A stretch of a track; `part` is `null` for a whole file. */
export type Segment = { readonly uri: string; readonly seconds: number; readonly part: Part | null };
export type MediaPlaylist = {
	readonly map: { readonly uri: string; readonly part: Part } | null;
	readonly segments: readonly Segment[];
	readonly target: number;
};

/** A playlist of the longest video that a domain may allow has a quarter of it. */
export const longestPlaylist = 131_072;

/**
 * Reads a master playlist (RFC 8216) as `@reelmill/media` writes it.
 *
 * @throws {UnreadableText} for anything else: an unknown tag could lead anywhere.
 */
export function readMasterPlaylist(text: string): MasterPlaylist {
	const variants: Variant[] = [];
	const others: string[] = [];
	const data: string[] = [];
	let stream: ReadonlyMap<string, string> | null = null;
	for (const line of bodyOf(text)) {
		const [tag, value] = tagOf(line);
		if (tag === null) {
			if (stream === null)
				throw new UnreadableText(`names ${JSON.stringify(line.slice(0, 100))} without EXT-X-STREAM-INF`);
			const [codecs, resolution] = [stream.get("CODECS") ?? "", stream.get("RESOLUTION")];
			const [width, height] = (resolution ?? "").split("x");
			if (resolution === undefined && soundAlone.test(codecs)) others.push(line);
			else variants.push({ uri: line, codecs, width: wholeNumber(width), height: wholeNumber(height) });
			stream = null;
		} else if (stream !== null) throw new UnreadableText("has an EXT-X-STREAM-INF without an address");
		else if (tag === "EXT-X-STREAM-INF") stream = attributesOf(value);
		else if (tag === "EXT-X-MEDIA" || tag === "EXT-X-I-FRAME-STREAM-INF")
			others.push(attributesOf(value).get("URI") ?? "");
		else if (tag === "EXT-X-SESSION-DATA") data.push(attributesOf(value).get("URI") ?? "");
		else if (tag !== "EXT-X-VERSION" && tag !== "EXT-X-INDEPENDENT-SEGMENTS")
			throw new UnreadableText(`has the tag ${tag.slice(0, 50)}, which is not for it`);
	}
	if (stream !== null || variants.length === 0) throw new UnreadableText("leads to no rendition");
	return { variants, others, data };
}

/**
 * Returns the captions that a master playlist lists, in its order.
 *
 * @throws {UnreadableText} for anything that `readMasterPlaylist` doesn't read.
 */
export function listedInMaster(text: string): ListedCaptions[] {
	readMasterPlaylist(text);
	return bodyOf(text).flatMap((line): ListedCaptions[] => {
		const [tag, value] = tagOf(line);
		const attributes = tag === "EXT-X-MEDIA" ? attributesOf(value) : null;
		if (attributes?.get("TYPE") !== "SUBTITLES") return [];
		const told = attributes.get("CHARACTERISTICS") ?? "";
		return [
			{
				uri: attributes.get("URI") ?? "",
				name: attributes.get("NAME") ?? null,
				language: attributes.get("LANGUAGE") ?? "und",
				isForced: attributes.get("FORCED") === "YES",
				isSpoken: told.includes("transcribes-spoken-dialog"),
				tellsSounds: told.includes("describes-music-and-sound"),
			},
		];
	});
}

const soundAlone = /^mp4a\.[\dA-Fa-f.]{1,10}$/;

/** Reads a media playlist of a whole video in the same way. */
export function readMediaPlaylist(text: string): MediaPlaylist {
	const segments: Segment[] = [];
	let map: MediaPlaylist["map"] = null;
	let target: number | null = null;
	let lasts: number | null = null;
	let part: Part | null = null;
	let ended = false;
	for (const line of bodyOf(text)) {
		if (ended) throw new UnreadableText("goes on behind EXT-X-ENDLIST");
		const [tag, value] = tagOf(line);
		if (tag === null) {
			if (lasts === null) throw new UnreadableText(`names ${JSON.stringify(line.slice(0, 100))} without EXTINF`);
			segments.push({ uri: line, seconds: lasts, part });
			[lasts, part] = [null, null];
		} else if (tag === "EXTINF") lasts = seconds(value.split(",", 1)[0]);
		else if (tag === "EXT-X-BYTERANGE") part = partOf(value);
		else if (tag === "EXT-X-MAP") {
			const attributes = attributesOf(value);
			map = { uri: attributes.get("URI") ?? "", part: partOf(attributes.get("BYTERANGE") ?? "") };
		} else if (tag === "EXT-X-TARGETDURATION") target = wholeNumber(value);
		else if (tag === "EXT-X-ENDLIST") ended = true;
		else if (!plain.has(tag)) throw new UnreadableText(`has the tag ${tag.slice(0, 50)}, which is not for it`);
	}
	if (!ended || lasts !== null) throw new UnreadableText("has no end");
	if (target === null || segments.length === 0) throw new UnreadableText("has no target duration, or no segment");
	return { map, segments, target };
}

/** Tags that say nothing of files. */
const plain = new Set([
	...["EXT-X-VERSION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-PLAYLIST-TYPE"],
	...["EXT-X-INDEPENDENT-SEGMENTS", "EXT-X-I-FRAMES-ONLY", "EXT-X-START"],
]);

function bodyOf(text: string): string[] {
	const [first, ...body] = linesOf(text, longestPlaylist);
	if (first !== "#EXTM3U") throw new UnreadableText("is no playlist");
	return body.filter((line) => !line.startsWith("#") || line.startsWith("#EXT"));
}

/** Returns a line's tag and the text after its colon; `null` and the empty text for an address. */
function tagOf(line: string): [string | null, string] {
	if (!line.startsWith("#")) return [null, ""];
	const colon = line.indexOf(":");
	return colon < 0 ? [line.slice(1), ""] : [line.slice(1, colon), line.slice(colon + 1)];
}

function attributesOf(list: string): ReadonlyMap<string, string> {
	const attributes = new Map<string, string>();
	for (let at = 0; at < list.length; ) {
		const equals = list.indexOf("=", at);
		if (equals < 0) throw new UnreadableText("has attributes that can't be read");
		const isQuoted = list[equals + 1] === '"';
		const closing = isQuoted ? list.indexOf('"', equals + 2) : equals;
		const comma = closing < 0 ? -1 : list.indexOf(",", closing);
		const end = comma < 0 ? list.length : comma;
		if (closing < 0 || (isQuoted && closing + 1 !== end)) throw new UnreadableText("has attributes that can't be read");
		attributes.set(list.slice(at, equals), isQuoted ? list.slice(equals + 2, closing) : list.slice(equals + 1, end));
		at = end + 1;
	}
	return attributes;
}

/** Reads `length@offset`. */
function partOf(text: string): Part {
	const [length, offset, ...more] = text.split("@");
	if (more.length > 0) throw new UnreadableText("has a byte range that can't be read");
	return { length: wholeNumber(length), offset: wholeNumber(offset) };
}
