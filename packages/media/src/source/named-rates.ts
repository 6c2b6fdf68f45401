import type { Rational } from "../types.ts";

const named: readonly Rational[] = [
	{ numerator: 10, denominator: 1 },
	{ numerator: 12, denominator: 1 },
	{ numerator: 15_000, denominator: 1001 },
	{ numerator: 15, denominator: 1 },
	{ numerator: 20, denominator: 1 },
	{ numerator: 24_000, denominator: 1001 },
	{ numerator: 24, denominator: 1 },
	{ numerator: 25, denominator: 1 },
	{ numerator: 30_000, denominator: 1001 },
	{ numerator: 30, denominator: 1 },
	{ numerator: 48_000, denominator: 1001 },
	{ numerator: 48, denominator: 1 },
	{ numerator: 50, denominator: 1 },
	{ numerator: 60_000, denominator: 1001 },
	{ numerator: 60, denominator: 1 },
];

/** The most frames a second of any output. Clocks of recorders that mean 60 run a little faster. */
export const fastestOutput = 60.5;

/** Returns a rate in frames per second. */
export const perSecond = ({ numerator, denominator }: Rational): number => numerator / denominator;

/**
 * Returns the usual rate that is nearest to this one, or `null` if all differ by more than the tolerance.
 * @param tolerance a share of the rate
 */
export function namedRate(rate: number, tolerance: number): Rational | null {
	const distance = (one: Rational) => Math.abs(Math.log(perSecond(one) / rate));
	const nearest = named.reduce((best, one) => (distance(one) < distance(best) ? one : best));
	return distance(nearest) <= tolerance ? nearest : null;
}
