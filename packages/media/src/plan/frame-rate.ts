import type { Rational } from "../types.ts";

const standard: readonly Rational[] = [
	{ numerator: 10, denominator: 1 },
	{ numerator: 12, denominator: 1 },
	{ numerator: 15, denominator: 1 },
	{ numerator: 20, denominator: 1 },
	{ numerator: 24000, denominator: 1001 },
	{ numerator: 24, denominator: 1 },
	{ numerator: 25, denominator: 1 },
	{ numerator: 30000, denominator: 1001 },
	{ numerator: 30, denominator: 1 },
	{ numerator: 48, denominator: 1 },
	{ numerator: 50, denominator: 1 },
	{ numerator: 60000, denominator: 1001 },
	{ numerator: 60, denominator: 1 },
];

/** Returns a rate in frames per second. */
export const perSecond = ({ numerator, denominator }: Rational): number => numerator / denominator;

/**
 * Returns the standard rate nearest to an average one. An average above 60.5 frames a second is halved first, so that
 * every second frame stays.
 */
export function constantFrameRate(average: number): Rational {
	let target = average;
	while (target > 60.5) target /= 2;
	const distance = (rate: Rational) => Math.abs(Math.log(perSecond(rate) / target));
	return standard.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best));
}
