import { createReadStream } from "node:fs";
import { join } from "node:path";
import { guardedInput } from "../source/guarded-input.ts";
import type { Container, SourceText } from "../types.ts";
import { mostCues, plainText } from "./plain-cues.ts";
import { createSubRipReader } from "./sub-rip.ts";
import type { Cue } from "./transcriber.ts";

/** Closed captions in a track of their own, as editors of QuickTime films write them. */
const captionsCodec = "eia_608";

export const areCaptions = ({ codec }: SourceText): boolean => codec === captionsCodec;

/** What draws a shape, such as `m 0 0 l 100 0 100 50`. Words may follow at once. */
const drawing = /\bm -?[\d.]+ -?[\d.]+(?: [mnlbsp](?: -?[\d.]+)+| c)+/g;
const lonelyMove = /^m -?[\d.]+ -?[\d.]+$/;

/** Returns the text of ASS without comments and drawings. ffmpeg leaves only the words of its tags out. */
const plainAss = (text: string): string =>
	plainText(text.replaceAll(/\{[^{}]*\}/g, "").replaceAll(drawing, ""))
		.split("\n")
		.filter((line) => !lonelyMove.test(line))
		.join("\n");

/** Returns what makes plain text of a track's cues. */
export const plainBy = ({ codec }: SourceText): ((text: string) => string) =>
	codec === "ass" || codec === "ssa" ? plainAss : plainText;

const fileOf = (folder: string, { index }: SourceText): string => join(folder, `${index}.srt`);

/**
 * How much later than by the file's clock the times of a written track are: a cue may begin before the clock's zero, and
 * SubRip has no negative times.
 */
export const writtenLaterSeconds = 3600;

/**
 * Makes ffmpeg apply only the beginning of a track's edit list. If that lies within a cue, ffmpeg's usual way moves all
 * others.
 */
export const cuesAsEdited = (container: Container): string[] =>
	container === "mov" ? ["-advanced_editlist", "0"] : [];

/** Returns the arguments that write each of these tracks of text into a file of its own in the folder. */
export const textArguments = (
	{ path, container }: { readonly path: string; readonly container: Container },
	texts: readonly SourceText[],
	folder: string,
): string[] => [
	...["-nostdin", "-v", "error", "-y", "-copyts", "-itsoffset", String(writtenLaterSeconds)],
	...[...cuesAsEdited(container), ...guardedInput(container, path)],
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
