import type { TimedChapter } from "./chapter-data.ts";

const time = String.raw`(?:(\d{2,4}):)?(\d{2}):(\d{2})\.(\d{3})`;
const timing = new RegExp(`^${time} --> ${time}`);
const secondsOf = ([hours = "0", minutes, seconds, thousandths]: readonly (string | undefined)[]): number =>
	(Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(thousandths)) / 1000;
const plain = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/**
 * Reads the chapters of a WebVTT file that has a cue for each, with its title on one line.
 * @example
 * ```ts
 * import { readChapters } from "@reelmill/contracts/captions";
 *
 * const [chapter] = readChapters("WEBVTT\n\n00:00:01.500 --> 00:00:02.000\nAt the mill\n");
 * console.log(chapter?.startSeconds, chapter?.title); // => 1.5 At the mill
 * ```
 */
export function readChapters(text: string): TimedChapter[] {
	const lines = text.split("\n");
	return lines.flatMap((line, at) => {
		const found = timing.exec(line);
		if (found === null) return [];
		const title = plain(lines[at + 1] ?? "");
		return [{ startSeconds: secondsOf(found.slice(1, 5)), endSeconds: secondsOf(found.slice(5)), title }];
	});
}
