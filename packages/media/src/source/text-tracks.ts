import type { SourceChapter, SourceProbe, SourceText } from "../types.ts";
import { cleanTitle, languageTag } from "./tags.ts";

type Entry = {
	readonly index?: unknown;
	readonly codec_type?: unknown;
	readonly codec_name?: unknown;
	readonly disposition?: Record<string, number>;
	readonly tags?: Record<string, unknown>;
	readonly start_time?: unknown;
};

/** The codecs of subtitles that are text. The others are pictures, or have no decoder. */
const textCodecs = new Set(["mov_text", "subrip", "srt", "webvtt", "ass", "ssa", "text"]);

/** Says whether a track of subtitles is text that can be read. */
export const isText = ({ codec }: SourceText): boolean => textCodecs.has(codec);

const textOf = ({ index, codec_name, disposition, tags }: Entry): SourceText => ({
	index: Number(index),
	codec: typeof codec_name === "string" ? codec_name : "unknown",
	language: languageTag(tags?.language),
	title: cleanTitle(tags?.title),
	isDefault: disposition?.default === 1,
	isForced: disposition?.forced === 1,
	tellsSounds: disposition?.hearing_impaired === 1,
});

/** Of so many chapters at most a video keeps each. The last one lasts to the end of the video. */
const mostChapters = 1000;

function chaptersOf(entries: readonly Entry[], zero: number): SourceChapter[] {
	const chapters = entries.flatMap(({ start_time, tags }): SourceChapter[] => {
		const startSeconds = Math.round((Number(start_time) - zero) * 1e6) / 1e6;
		const title = typeof tags?.title === "string" ? tags.title.slice(0, 400) : null;
		return Number.isFinite(startSeconds) ? [{ startSeconds, title }] : [];
	});
	return chapters.sort((one, other) => one.startSeconds - other.startSeconds).slice(0, mostChapters);
}

/**
 * Reads the tracks of subtitles and the chapters in ffprobe's JSON. What there is none of is left out.
 * @param zero the file's first timestamp in seconds; chapters count from the clock's zero
 */
export function parseWords(json: string, zero: number): Pick<SourceProbe, "texts" | "chapters"> {
	const { streams = [], chapters: entries = [] } = JSON.parse(json) as { streams?: Entry[]; chapters?: Entry[] };
	const texts = streams.filter(({ codec_type }) => codec_type === "subtitle").map(textOf);
	const chapters = chaptersOf(entries, zero);
	return { ...(texts.length > 0 && { texts }), ...(chapters.length > 0 && { chapters }) };
}
