import { endsClause, endsSentence } from "./marks.ts";

/** How many columns a line takes. A letter of Latin script takes one, a Chinese, Japanese or Korean sign two. */
export const lineColumns = 42;

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu;

/** Returns how many columns a text takes. */
export const widthOf = (text: string): number => Array.from(text).length + (text.match(wide)?.length ?? 0);

/** A word as a line takes it, and what stands before it within a line. */
type Piece = { readonly text: string; readonly before: "" | " " };

const joined = (pieces: readonly Piece[]): string =>
	pieces.map(({ text, before }, n) => (n === 0 ? text : before + text)).join("");

const isGood = (word: string): boolean => endsSentence(word) || endsClause(word);

/**
 * Returns the words as one line if it takes at most 42 columns, else as two: broken at a clause if one ends near the
 * middle, else where the lines are most alike.
 */
export function inLines(words: readonly Piece[]): string {
	const whole = joined(words);
	if (widthOf(whole) <= lineColumns) return whole;
	let best: { readonly cost: number; readonly text: string } = { cost: Number.POSITIVE_INFINITY, text: whole };
	for (let at = 1; at < words.length; at += 1) {
		const [first, second] = [joined(words.slice(0, at)), joined(words.slice(at))];
		const [above, below] = [widthOf(first), widthOf(second)];
		if (above > lineColumns || below > lineColumns) continue;
		const cost = Math.abs(above - below) - (isGood(words[at - 1]?.text ?? "") ? 20 : 0);
		if (cost < best.cost) best = { cost, text: `${first}\n${second}` };
	}
	return best.text;
}
