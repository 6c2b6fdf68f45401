import { seenText } from "@reelmill/contracts/captions";
import { mapInSlices } from "./in-slices.ts";
import type { Cue } from "./transcriber.ts";

/** More than five hours of speech need. */
export const mostCues = 20_000;
/** Nobody reads more at once. */
const longestText = 1000;
/** The service reads a transcript whole, and one of more than 2 MiB not at all. */
const mostBytes = 2_000_000;
/** Returns how many bytes a cue has at most in a WebVTT file, with its times. */
const bytesOf = (text: string): number => Buffer.byteLength(text) + 4 * (text.match(/[&<>]/g)?.length ?? 0) + 40;
/** How long a cue stands whose end nobody knows, if no other comes before. */
const usualSeconds = 5;
/** ffmpeg writes an end that it doesn't know as one of more than a thousand hours. */
const endlessSeconds = 3_600_000;

/** Returns a text's lines as plain text: single spaces, no empty lines, nothing that can't be seen. */
export function plainText(text: string): string {
	const lines = text
		.split(/\r\n?|\n/)
		.map((line) => seenText(line.replaceAll("\\h", " ").replaceAll(/\\([{}])/g, "$1")));
	return lines
		.filter((line) => line !== "")
		.join("\n")
		.slice(0, longestText)
		.toWellFormed();
}

/** Where the times of cues begin, and the length of the video, in seconds. */
export type CueTimes = { readonly zeroSeconds: number; readonly durationSeconds: number };

/**
 * Returns a source's cues as they are shown: their own words and times, in order, within the video, as plain text. A
 * cue that comes twice is kept once. Too many cues are cut off at the end.
 */
export async function plainCues(
	cues: readonly Cue[],
	{ zeroSeconds, durationSeconds }: CueTimes,
	plain = plainText,
): Promise<Cue[]> {
	const sorted = [...cues].sort((a, b) => a.startSeconds - b.startSeconds || a.endSeconds - b.endSeconds);
	// When the next cue begins that doesn't begin together with this one, from the last cue on.
	let [next, following] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	const ended = sorted.toReversed().map((cue) => {
		if (cue.startSeconds < following) [next, following] = [following, cue.startSeconds];
		if (cue.endSeconds < endlessSeconds) return cue;
		return { ...cue, endSeconds: Math.min(next, cue.startSeconds + usualSeconds) };
	});
	ended.reverse();
	const inMilliseconds = (seconds: number) => Math.round((seconds - zeroSeconds) * 1000) / 1000;
	const placed = await mapInSlices(ended, ({ startSeconds, endSeconds, text }) => ({
		startSeconds: Math.max(0, inMilliseconds(startSeconds)),
		endSeconds: Math.min(durationSeconds, inMilliseconds(endSeconds)),
		text: plain(text),
	}));
	const seen = new Set<string>();
	let bytes = 0;
	return placed.filter(({ startSeconds, endSeconds, text }) => {
		const name = `${startSeconds} ${endSeconds} ${text}`;
		if (text === "" || endSeconds - startSeconds < 0.001 || seen.has(name)) return false;
		seen.add(name);
		bytes += bytesOf(text);
		return bytes <= mostBytes && seen.size <= mostCues;
	});
}
