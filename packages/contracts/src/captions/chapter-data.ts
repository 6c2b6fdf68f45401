/** A chapter with its end, in seconds from the video's beginning. */
export type TimedChapter = { readonly startSeconds: number; readonly endSeconds: number; readonly title: string };

/** The name by which Apple's players know chapters. */
const dataId = "com.apple.hls.chapters";

/**
 * Returns the tag by which a master playlist leads to the file of `chapterData`.
 * @example
 * ```ts
 * import { chaptersTag } from "@reelmill/contracts/captions";
 *
 * console.log(chaptersTag("../chapters.json").startsWith("#EXT-X-SESSION-DATA:")); // => true
 * ```
 */
export const chaptersTag = (uri: string): string => `#EXT-X-SESSION-DATA:DATA-ID="${dataId}",URI="${uri}"`;

/**
 * Tells whether a line of a master playlist leads to chapters.
 * @example
 * ```ts
 * import { chaptersTag, isChaptersTag } from "@reelmill/contracts/captions";
 *
 * console.log(isChaptersTag(chaptersTag("a.json")), isChaptersTag("#EXTM3U")); // => true false
 * ```
 */
export const isChaptersTag = (line: string): boolean =>
	line.startsWith("#EXT-X-SESSION-DATA:") && line.includes(dataId);

/**
 * Returns chapters as the JSON that Apple's players read.
 * @example
 * ```ts
 * import { chapterData } from "@reelmill/contracts/captions";
 *
 * console.log(JSON.parse(chapterData([{ startSeconds: 0, endSeconds: 2.5, title: "Beginning" }]))[0].duration); // => 2.5
 * ```
 */
export const chapterData = (chapters: readonly TimedChapter[]): string =>
	JSON.stringify(
		chapters.map(({ startSeconds, endSeconds, title }, n) => ({
			chapter: n + 1,
			"start-time": startSeconds,
			duration: Math.round((endSeconds - startSeconds) * 1000) / 1000,
			titles: [{ language: "und", title }],
		})),
	);
