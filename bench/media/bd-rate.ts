/** A rate in bits per second, and the quality that it gives, in decibels or another scale that grows evenly. */
export type RatePoint = { readonly bits: number; readonly quality: number };

/** Returns a similarity from 0 to 1 in decibels: 0.99 is 20, 0.999 is 30. The curves are about straight in it. */
export const decibels = (alike: number): number => -10 * Math.log10(1 - Math.min(alike, 0.999999));

type Curve = { readonly from: number; readonly to: number; readonly at: (quality: number) => number };

/**
 * Returns the logarithm of the rate over the quality, as a piecewise cubic that keeps the points' order (Fritsch and
 * Carlson, SIAM J. Numer. Anal. 17, 1980).
 */
function curveThrough(points: readonly RatePoint[]): Curve {
	const sorted = [...points].sort((a, b) => a.quality - b.quality);
	const x = sorted.map(({ quality }) => quality);
	const y = sorted.map(({ bits }) => Math.log(bits));
	const last = x.length - 1;
	const gaps = x.slice(1).map((value, n) => value - (x[n] as number));
	const slopes = gaps.map((gap, n) => ((y[n + 1] as number) - (y[n] as number)) / gap);
	const tangents = x.map((_, n) => {
		const [before, after] = [slopes[n - 1], slopes[n]];
		if (before === undefined || after === undefined) return (before ?? after) as number;
		if (before * after <= 0) return 0;
		const [a, b] = [gaps[n - 1] as number, gaps[n] as number];
		return (3 * (a + b)) / ((2 * b + a) / before + (b + 2 * a) / after);
	});
	const at = (quality: number): number => {
		const n = Math.min(
			last - 1,
			Math.max(
				0,
				x.findLastIndex((value) => value <= quality),
			),
		);
		const gap = gaps[n] as number;
		const t = (quality - (x[n] as number)) / gap;
		return (
			(2 * t ** 3 - 3 * t ** 2 + 1) * (y[n] as number) +
			(t ** 3 - 2 * t ** 2 + t) * gap * (tangents[n] as number) +
			(3 * t ** 2 - 2 * t ** 3) * (y[n + 1] as number) +
			(t ** 3 - t ** 2) * gap * (tangents[n + 1] as number)
		);
	};
	return { from: x[0] as number, to: x[last] as number, at };
}

/**
 * Returns by which share the rate of `tested` differs from that of `anchor` at the same quality, on average over the
 * qualities that both reach: -0.3 is 30 % fewer bits. NaN if they have none in common. This is Bjøntegaard's delta rate
 * (VCEG-M33) with piecewise cubics in place of one polynomial (JCTVC-H0030).
 */
export function bdRate(anchor: readonly RatePoint[], tested: readonly RatePoint[]): number {
	const [a, b] = [curveThrough(anchor), curveThrough(tested)];
	const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
	if (!(to > from)) return Number.NaN;
	const steps = 200;
	let sum = 0;
	for (let n = 0; n < steps; n += 1) {
		const quality = from + ((n + 0.5) / steps) * (to - from);
		sum += b.at(quality) - a.at(quality);
	}
	return Math.exp(sum / steps) - 1;
}
