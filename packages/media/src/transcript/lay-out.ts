import { createTurns } from "./in-slices.ts";
import { inLines, lineColumns, widthOf } from "./lines.ts";
import { endsClause, endsSentence } from "./marks.ts";
import type { Word } from "./timed-words.ts";
import type { Cue } from "./transcriber.ts";

const shortestSeconds = 1;
const longestSeconds = 7;
/** No cue goes on over a pause of this length. */
const pauseSeconds = 1;

// What a choice of cues costs. Only the relations count: a cue more is cheaper than any break within a sentence.
const eachCue = 0.5;
const afterClause = 1;
const afterTranscribersCue = 2;
const withinClause = 4;
const overGoodBreak = 2;
const eachSecondTooShort = 5;

/** What it costs to end a cue after a word: nothing after a sentence, most within a clause. */
function breakCost(word: Word, next: Word | undefined, hasMarks: boolean): number {
	if (next === undefined || endsSentence(word.text)) return 0;
	if (word.endsCue && !(hasMarks && /^\p{Ll}/u.test(next.text))) return 0;
	if (endsClause(word.text)) return afterClause;
	return word.endsCue ? afterTranscribersCue : withinClause;
}

/** The cheapest cues up to a word: their cost, and the word with which the last of them begins. */
type Choice = { readonly cost: number; readonly from: number };

/** Finds the cue that ends with a word and costs least, together with those before it. */
function choose(
	run: readonly Word[],
	end: number,
	widths: readonly number[],
	costs: readonly number[],
	choices: readonly Choice[],
): Choice {
	const last = run[end] as Word;
	let best: Choice = { cost: Number.POSITIVE_INFINITY, from: end };
	let [above, below, isAbove, passed] = [0, 0, false, 0];
	for (let from = end; from >= 0; from -= 1) {
		const first = run[from] as Word;
		const [width, space] = [widths[from] ?? 0, (run[from + 1]?.before ?? "").length];
		// The second line takes all that fits, and the first one the rest.
		if (!isAbove && from < end && below + space + width > lineColumns) isAbove = true;
		if (!isAbove) below += width + (from < end ? space : 0);
		else above += width + (above > 0 ? space : 0);
		const seconds = last.endSeconds - first.startSeconds;
		if (from < end && (above > lineColumns || seconds > longestSeconds)) break;
		if (from < end && costs[from] === 0) passed += overGoodBreak;
		const tooShort = Math.max(0, shortestSeconds - seconds) * eachSecondTooShort;
		const cost = (choices[from - 1]?.cost ?? 0) + (costs[end] ?? 0) + eachCue + passed + tooShort;
		if (cost < best.cost) best = { cost, from };
	}
	return best;
}

/** Returns the words between two pauses as the cues that cost least. */
async function cuesOfRun(
	run: readonly Word[],
	hasMarks: boolean,
	turn: ReturnType<typeof createTurns>,
): Promise<Cue[]> {
	const costs = run.map((word, n) => breakCost(word, run[n + 1], hasMarks));
	const widths = run.map(({ text }) => widthOf(text));
	const choices: Choice[] = [];
	for (const end of run.keys()) {
		choices.push(choose(run, end, widths, costs, choices));
		const others = turn(200);
		if (others !== undefined) await others;
	}
	const cues: Cue[] = [];
	for (let end = run.length - 1; end >= 0; ) {
		const { from } = choices[end] as Choice;
		const [first, last] = [run[from] as Word, run[end] as Word];
		const endSeconds = Math.min(last.endSeconds, first.startSeconds + longestSeconds);
		cues.push({ startSeconds: first.startSeconds, endSeconds, text: inLines(run.slice(from, end + 1)) });
		end = from - 1;
	}
	return cues.reverse();
}

const inMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Gives cues that are too short their second: from the time that is free after them, or from a longer one's. */
function lengthened(cues: readonly Cue[], durationSeconds: number): Cue[] {
	const made: Cue[] = [];
	let earliest = 0;
	for (const [n, cue] of cues.entries()) {
		const startSeconds = Math.max(cue.startSeconds, earliest);
		const wanted = Math.min(startSeconds + shortestSeconds, durationSeconds);
		const next = cues[n + 1];
		const canWait = next === undefined || next.endSeconds - wanted >= shortestSeconds;
		const latest = canWait ? wanted : Math.min(wanted, next.startSeconds);
		const endSeconds = Math.max(cue.endSeconds, latest);
		if (cue.endSeconds < wanted && next !== undefined && next.startSeconds >= cue.endSeconds) earliest = endSeconds;
		made.push({ ...cue, startSeconds: inMilliseconds(startSeconds), endSeconds: inMilliseconds(endSeconds) });
	}
	return made.filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds);
}

/**
 * Makes cues that can be read: at most two lines of 42 columns, 1 to 7 seconds long, broken after sentences and clauses
 * where there are any, and never over a pause of a second. A cue is shorter only if the next one follows at once and is
 * short, too, or if the video ends.
 */
export async function layOut(words: readonly Word[], durationSeconds: number): Promise<Cue[]> {
	const turn = createTurns();
	const hasMarks = words.some(({ text }) => endsSentence(text));
	const cues: Cue[] = [];
	let from = 0;
	for (const [n, word] of words.entries()) {
		const next = words[n + 1];
		const pause = next === undefined ? pauseSeconds : next.startSeconds - word.endSeconds;
		// Words that begin before the end of the one before them are said by someone else.
		if (pause > -0.001 && pause < pauseSeconds) continue;
		for (const cue of await cuesOfRun(words.slice(from, n + 1), hasMarks, turn)) cues.push(cue);
		from = n + 1;
	}
	cues.sort((a, b) => a.startSeconds - b.startSeconds || a.endSeconds - b.endSeconds);
	return lengthened(cues, durationSeconds);
}
