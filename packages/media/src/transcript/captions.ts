import { cueBlock, escapedText } from "@reelmill/contracts/captions";
import { mapInSlices } from "./in-slices.ts";
import { layOut } from "./lay-out.ts";
import type { Stretch } from "./quiet.ts";
import { timedWords } from "./timed-words.ts";
import type { Cue } from "./transcriber.ts";

/**
 * Says whether a text has only sounds in brackets, such as Whisper's [Music] or (applause), which it also makes of
 * silence.
 */
const soundsOnly = (text: string): boolean =>
	!/[\p{L}\p{N}]/u.test(text.replaceAll(/\[[^[\]]*\]|\([^()]*\)|\*[^*]*\*|♪/gu, ""));

const haveNoWord = async (cues: readonly Cue[]): Promise<boolean> =>
	(await mapInSlices(cues, ({ text }) => soundsOnly(text))).every(Boolean);

/**
 * Returns the cues that can be shown: in order, within the video, with single spaces, and laid out to be read (see
 * {@link layOut}). What is said in a quiet stretch is made up, and left out. Returns none if no cue has a spoken word,
 * so that a model's "[BLANK_AUDIO]" is no transcript.
 */
export async function showableCues(
	cues: readonly Cue[],
	durationSeconds: number,
	quiet: readonly Stretch[] = [],
): Promise<Cue[]> {
	const cut = await mapInSlices(cues, ({ startSeconds, endSeconds, text }) => ({
		startSeconds: Math.max(0, startSeconds),
		endSeconds: Math.min(durationSeconds, endSeconds),
		text: text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim(),
	}));
	const shown = cut
		.filter(({ startSeconds, endSeconds, text }) => text !== "" && endSeconds - startSeconds >= 0.001)
		.sort((a, b) => a.startSeconds - b.startSeconds || a.endSeconds - b.endSeconds);
	if (await haveNoWord(shown)) return [];
	const laidOut = await layOut(await timedWords(shown, quiet), durationSeconds);
	return (await haveNoWord(laidOut)) ? [] : laidOut;
}

/** Writes the cues as a WebVTT file (W3C WebVTT, section 4.1), piece by piece. */
export async function* webVtt(cues: readonly Cue[]): AsyncGenerator<string> {
	yield "WEBVTT\n";
	for (let at = 0; at < cues.length; at += cuesAtOnce) {
		const blocks = cues.slice(at, at + cuesAtOnce).map(block);
		yield `\n${blocks.join("\n")}`;
		await new Promise((resolve) => setImmediate(resolve));
	}
}

const cuesAtOnce = 100;
const block = ({ text, ...times }: Cue): string => cueBlock({ ...times, markup: escapedText(text) });
