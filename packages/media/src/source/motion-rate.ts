import { fastestOutput, namedRate, perSecond } from "./named-rates.ts";

/** A picture that stands longer than this is no part of a motion, in seconds. */
const longestInMotion = 0.25;
/** If pictures come faster than this, no grid can show all of them, so none of them counts as lost. */
const fastestCounted = 63;
/** The share of the pictures that a rate must show. */
const enough = 0.98;
/** The share of the time in motion that the fastest stretches must fill. Shorter ones are mistakes of a clock. */
const fastestShare = 0.02;
/** How far the fastest stretches may be from a usual rate that they are taken for. A screen's clock is not exact. */
const nearUsual = 0.01;

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the gaps that are as long as one, to a share of it. Some containers count milliseconds, so 2 ms are no
 * difference.
 */
const gapsLike = (gaps: readonly number[], one: number, share: number): readonly number[] =>
	gaps.filter((gap) => Math.abs(gap - one) <= Math.max(0.002, one * share));

/**
 * Returns the gaps that one rate explains, if these are nine in ten of them; otherwise `null`. A clip of 25 frames a
 * second with a hole thus still has 25.
 */
export function regularGaps(gaps: readonly number[]): readonly number[] | null {
	const regular = gapsLike(gaps, [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0, 1 / 5);
	return regular.length > 0 && regular.length >= gaps.length * 0.9 ? regular : null;
}

/**
 * Returns the share of the pictures that a constant rate shows, from 0 to 1. Its first picture is the source's first. A
 * picture is lost if the next one is due at the same time. Pictures that come too fast for any rate aren't counted.
 * @param times when each picture is shown, in ascending seconds
 */
function shownShare(times: readonly number[], rate: number): number {
	const last = times.length - 1;
	const time = (n: number): number => times[n] as number;
	const place = (n: number): number => Math.round((time(n) - time(0)) * rate);
	let [shown, counted] = [0, 0];
	for (let n = 0; n < last; n += 1) {
		const [from, to] = [Math.max(0, n - 1), Math.min(last, n + 2)];
		if ((time(to) - time(from)) * fastestCounted < to - from) continue;
		counted += 1;
		if (place(n) !== place(n + 1)) shown += 1;
	}
	return counted === 0 ? 1 : shown / counted;
}

/** Returns the rate of the fastest stretches, as far as they fill a share of the time in motion. */
function fastestRate(gaps: readonly number[]): number {
	const moving = gaps.filter((gap) => gap <= longestInMotion);
	const sorted = [...(moving.length === 0 ? gaps : moving)].sort((a, b) => a - b);
	let left = fastestShare * sorted.reduce((sum, gap) => sum + gap, 0);
	const fastest = sorted.find((gap) => {
		left -= gap;
		return left <= 0;
	});
	// The gap found is among the shortest of its like, so those around their average are the better sample.
	const about = average(gapsLike(sorted, fastest ?? (sorted.at(-1) as number), 1 / 8));
	return 1 / average(gapsLike(sorted, about, 1 / 8));
}

/**
 * Says whether pictures last two and three fields in turn, as a film does that a disc or a broadcast shows in 60 fields
 * a second. Each two of them last equally long.
 */
function isPulledDown(gaps: readonly number[]): boolean {
	const pairs = gaps.slice(1).map((gap, n) => gap + (gaps[n] as number));
	const pair = average(pairs);
	return pairs.filter((one) => Math.abs(one - pair) <= pair / 20).length >= pairs.length * enough;
}

/**
 * Returns the frames per second that show a picture's motion: those of a constant rate, or else those of the fastest
 * stretches. If these are so uneven that their own rate loses more than two pictures in a hundred, the result is the
 * next rate up to 60 that loses no more. It may be any number above 60 if all pictures come faster. Returns `null` for
 * fewer than two pictures.
 * @param times when each picture is shown, in ascending seconds
 */
export function measureMotionRate(times: readonly number[]): number | null {
	const distinct = times.filter((time, n) => n === 0 || time > (times[n - 1] as number));
	const gaps = distinct.slice(1).map((time, n) => time - (distinct[n] as number));
	if (gaps.length === 0) return null;
	const isShown = (rate: number) => shownShare(distinct, rate) >= enough;
	const constant = regularGaps(gaps) ?? (isPulledDown(gaps) ? gaps : null);
	if (constant !== null && isShown(1 / average(constant))) return 1 / average(constant);
	const fastest = fastestRate(gaps);
	const usual = namedRate(fastest, nearUsual);
	const rate = usual === null ? fastest : perSecond(usual);
	// Twice the rate shows each picture equally long.
	const higher = [2 * rate, 48, 50, 60].filter((one) => one > rate && one <= fastestOutput);
	return [rate, ...higher].find(isShown) ?? Math.max(rate, 60);
}
