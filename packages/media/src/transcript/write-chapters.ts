import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chapterData, readChapters } from "@reelmill/contracts/captions";
import { chapterDataFile } from "../package/chapter-data-file.ts";
import type { SourceChapter } from "../types.ts";
import { webVtt } from "./captions.ts";
import { type CueTimes, plainCues, plainText } from "./plain-cues.ts";

/** The longest title that is kept whole. Menus show one line. */
const longestTitle = 100;

/** Makes one line of a title. */
const oneLine = (title: string): string =>
	Array.from(plainText(title).replaceAll("\n", " ")).slice(0, longestTitle).join("");

/**
 * Writes the chapters of a source as `chapters.vtt`, a cue for each, and as `chapters.json`, for Apple's players. Returns
 * both paths; nothing if no chapter begins within the video. A chapter without a title has its number.
 */
export async function writeChapters(
	directory: string,
	chapters: readonly SourceChapter[],
	times: CueTimes,
): Promise<string[]> {
	const endSeconds = times.zeroSeconds + times.durationSeconds;
	const cues = chapters.map(({ startSeconds, title }, n) => ({
		startSeconds,
		endSeconds: chapters[n + 1]?.startSeconds ?? endSeconds,
		text: oneLine(title ?? "") || String(n + 1),
	}));
	const shown = await plainCues(cues, times, (text) => text);
	if (shown.length === 0) return [];
	await writeFile(join(directory, "chapters.vtt"), webVtt(shown));
	return ["chapters.vtt", await writeChapterData(directory)];
}

/** Writes the chapters of `chapters.vtt` once more, for Apple's players, and returns the path. */
export async function writeChapterData(directory: string): Promise<string> {
	const chapters = readChapters(await readFile(join(directory, "chapters.vtt"), "utf8"));
	await writeFile(join(directory, chapterDataFile), chapterData(chapters));
	return chapterDataFile;
}
