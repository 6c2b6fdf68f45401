import { createReadStream } from "node:fs";
import { join } from "node:path";
import { guardedInput } from "../source/guarded-input.ts";
import type { Container, SourceText } from "../types.ts";
import { mostCues, plainText } from "./plain-cues.ts";
import { createSubRipReader } from "./sub-rip.ts";
import type { Cue } from "./transcriber.ts";

/** The codecs of subtitles that are text. The others are pictures, or have no decoder. */
const textCodecs = new Set(["mov_text", "subrip", "srt", "webvtt", "ass", "ssa", "text"]);
/** Closed captions in a track of their own, as editors of QuickTime films write them. */
const captionsCodec = "eia_608";

export const isText = ({ codec }: SourceText): boolean => textCodecs.has(codec);
export const areCaptions = ({ codec }: SourceText): boolean => codec === captionsCodec;

/** A line that draws a shape, such as `m 0 0 l 100 0 100 50`. */
const drawing = /^m -?[\d.]+ -?[\d.]+(?: [mnlbspc]| -?[\d.]+)*$/;

/** Returns the text of ASS without comments and drawings. ffmpeg leaves only the words of its tags out. */
const plainAss = (text: string): string =>
	plainText(text.replaceAll(/\{[^{}]*\}/g, ""))
		.split("\n")
		.filter((line) => !drawing.test(line))
		.join("\n");

/** Returns what makes plain text of a track's cues. */
export const plainBy = ({ codec }: SourceText): ((text: string) => string) =>
	codec === "ass" || codec === "ssa" ? plainAss : plainText;

const fileOf = (folder: string, { index }: SourceText): string => join(folder, `${index}.srt`);

/**
 * Returns the arguments that write each of these tracks of text into a file of its own in the folder. Times count from
 * the file's first timestamp.
 */
export const textArguments = (
	{ path, container }: { readonly path: string; readonly container: Container },
	texts: readonly SourceText[],
	folder: string,
): string[] => [
	...["-nostdin", "-v", "error", "-y", ...guardedInput(container, path)],
	...texts.flatMap((text) => ["-map", `0:${text.index}`, "-c:s", "text", "-f", "srt", fileOf(folder, text)]),
];

/** Reads what ffmpeg wrote of a track, up to the most cues that are kept. */
export async function readText(folder: string, text: SourceText, signal?: AbortSignal): Promise<Cue[]> {
	const cues: Cue[] = [];
	const reader = createSubRipReader((cue) => {
		if (cues.length < mostCues) cues.push(cue);
	});
	const file = createReadStream(fileOf(folder, text), { signal });
	for await (const piece of file as AsyncIterable<Buffer>) reader.write(piece);
	reader.end();
	return cues;
}
