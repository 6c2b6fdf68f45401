import { type Codec, isOf } from "./codec-choice.ts";
import type { Level } from "./player-state.ts";

/** What a player reads of a master playlist before hls.js is needed. */
export type MasterPlaylist = {
	/** From small to large. */
	readonly levels: readonly (Level & { readonly url: string; readonly videoCodec: string })[];
	/** The captions that a viewer can choose. */
	readonly captions: readonly FoundCaptions[];
};

/** Captions as a master playlist names them. */
export type FoundCaptions = {
	/** The shortest tag of RFC 5646; an empty text if it is not known. */
	readonly language: string;
	readonly label: string;
	/** The address of their playlist, which names one file. */
	readonly url: string;
};

const attribute = (line: string, name: string): string => {
	const [, quoted, plain] = new RegExp(`[:,]${name}=(?:"([^"]*)"|([^,]*))`).exec(line) ?? [];
	return quoted ?? plain ?? "";
};

/** Returns a playlist's language tag; an empty text for none, and for the tag of a language that is not known. */
export const knownLanguage = (tag = ""): string => (tag === "und" ? "" : tag);

/** Reads a master playlist. `codec` leaves only the levels of one codec, unless there are none. */
export function readMasterPlaylist(text: string, url: string, codec: Codec | undefined): MasterPlaylist {
	const lines = text.split(/\r?\n/);
	const levels = lines
		.flatMap((line, at) => {
			if (!line.startsWith("#EXT-X-STREAM-INF:")) return [];
			const [width = 0, height = 0] = attribute(line, "RESOLUTION").split("x").map(Number);
			// The sound alone is no level.
			if (!height) return [];
			const videoCodec = attribute(line, "CODECS").split(",")[0] ?? "";
			const bitrate = Number(attribute(line, "BANDWIDTH"));
			return [{ width, height, bitrate, videoCodec, url: new URL(lines[at + 1] ?? "", url).href }];
		})
		.sort((a, b) => a.bitrate - b.bitrate)
		// A rendition is there once for each number of channels of the sound.
		.filter(
			({ height, videoCodec }, at, all) =>
				all.findIndex((other) => other.height === height && other.videoCodec === videoCodec) === at,
		);
	const wanted = levels.filter(({ videoCodec }) => codec !== undefined && isOf(codec, videoCodec));
	return {
		levels: wanted.length > 0 ? wanted : levels,
		captions: lines
			// Forced ones are no choice: they have only what everybody is shown.
			.filter((line) => line.startsWith("#EXT-X-MEDIA:TYPE=SUBTITLES") && attribute(line, "FORCED") !== "YES")
			.map((line) => ({
				language: knownLanguage(attribute(line, "LANGUAGE")),
				label: attribute(line, "NAME"),
				url: new URL(attribute(line, "URI"), url).href,
			})),
	};
}

/** The one file that a media playlist plays, and how many seconds of it the text that was read lists. */
export function readMediaPlaylist(text: string, url: string): { file: string; seconds: number } {
	const file = attribute(/#EXT-X-MAP[^\n]*/.exec(text)?.[0] ?? "", "URI");
	let seconds = 0;
	for (const [, length] of text.matchAll(/#EXTINF:([\d.]+),/g)) seconds += Number(length);
	return { file: file && new URL(file, url).href, seconds };
}
