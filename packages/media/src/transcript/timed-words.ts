import { createTurns } from "./in-slices.ts";
import { lineColumns, widthOf } from "./lines.ts";
import type { Stretch } from "./quiet.ts";
import type { Cue } from "./transcriber.ts";

/** A word, or a part of a text without spaces, that no cue is broken in. */
export type Word = {
	readonly startSeconds: number;
	readonly endSeconds: number;
	readonly text: string;
	/** What stands between the word before and this one: a space, or nothing. */
	readonly before: "" | " ";
	/** True for the last word of a cue as the transcriber gave it. */
	readonly endsCue: boolean;
};

/** No cue that is said takes less. */
const shortestWordSeconds = 0.2;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
/** The scripts that are written without spaces between words. */
const withoutSpaces =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

type Piece = { readonly text: string; readonly before: "" | " " };

/** Cuts what is longer than a line, so that each piece fits. */
function* fitting({ text, before }: Piece): Generator<Piece> {
	if (text.length * 2 <= lineColumns || widthOf(text) <= lineColumns) {
		yield { text, before };
		return;
	}
	let [open, columns, isFirst] = ["", 0, true];
	for (const sign of text) {
		const width = widthOf(sign);
		if (columns + width > lineColumns) {
			yield { text: open, before: isFirst ? before : "" };
			[open, columns, isFirst] = ["", 0, false];
		}
		open += sign;
		columns += width;
	}
	yield { text: open, before: isFirst ? before : "" };
}

/** Cuts a text without spaces into words. Signs stay with the word before them. */
function* segmentsOf(text: string): Generator<string> {
	let open = "";
	for (const { segment, isWordLike } of segmenter.segment(text)) {
		if (isWordLike && /[\p{L}\p{N}]/u.test(open)) {
			yield open;
			open = "";
		}
		open += segment;
	}
	yield open;
}

/** Returns the words of a text whose only spaces are single ones. */
function* piecesOf(text: string): Generator<Piece> {
	for (const [n, part] of text.split(" ").entries()) {
		const isSpaced = !withoutSpaces.test(part);
		let before: "" | " " = n > 0 || isSpaced ? " " : "";
		for (const piece of isSpaced ? [part] : segmentsOf(part)) {
			yield* fitting({ text: piece, before });
			before = "";
		}
	}
}

/** Returns the parts of a cue's time in which something is heard. */
function* heardIn({ startSeconds, endSeconds }: Stretch, quiet: Iterable<Stretch>): Generator<Stretch> {
	let from = startSeconds;
	for (const gap of quiet) {
		if (gap.startSeconds > from) yield { startSeconds: from, endSeconds: gap.startSeconds };
		from = Math.max(from, gap.endSeconds);
	}
	if (from < endSeconds) yield { startSeconds: from, endSeconds };
}

const lengthOf = (stretches: readonly Stretch[]): number =>
	stretches.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);

/**
 * Spreads a cue's words over the parts of its time in which something is heard, by the number of their characters. Each
 * word is within one of the parts.
 */
function spread(cue: Cue, heard: readonly Stretch[]): Word[] {
	const words = [...piecesOf(cue.text)];
	const total = lengthOf(heard);
	const characters = words.reduce((sum, { text }) => sum + text.length + 1, 0);
	const made: Word[] = [];
	let [part, done, passed] = [0, 0, 0];
	for (const [n, word] of words.entries()) {
		const length = ((word.text.length + 1) / characters) * total;
		const middle = done + length / 2;
		let place = heard[part] as Stretch;
		while (part + 1 < heard.length && middle >= passed + place.endSeconds - place.startSeconds) {
			passed += place.endSeconds - place.startSeconds;
			part += 1;
			place = heard[part] as Stretch;
		}
		const startSeconds = Math.max(place.startSeconds, place.startSeconds + done - passed);
		const endSeconds = Math.min(place.endSeconds, place.startSeconds + done - passed + length);
		made.push({ ...word, startSeconds, endSeconds, endsCue: n === words.length - 1 });
		done += length;
	}
	return made;
}

/**
 * Returns the words of cues that are in order, each with a time that is guessed from its place in its cue. No word is
 * said in a quiet stretch. A cue of which less than 0.2 s is heard is made up, and left out.
 */
export async function timedWords(cues: readonly Cue[], quiet: readonly Stretch[]): Promise<Word[]> {
	const turn = createTurns();
	const made: Word[] = [];
	let from = 0;
	for (const cue of cues) {
		while (from < quiet.length && (quiet[from] as Stretch).endSeconds <= cue.startSeconds) from += 1;
		let to = from;
		while (to < quiet.length && (quiet[to] as Stretch).startSeconds < cue.endSeconds) to += 1;
		const heard = [...heardIn(cue, quiet.slice(from, to))];
		const isHeard = from === to || lengthOf(heard) >= shortestWordSeconds;
		if (isHeard) for (const word of spread(cue, heard)) made.push(word);
		const others = turn(cue.text.length + 32);
		if (others !== undefined) await others;
	}
	return made;
}
