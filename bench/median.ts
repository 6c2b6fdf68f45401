/** Returns the median; of an even number of values, the upper of the two in the middle. Returns NaN for none. */
export const median = (values: readonly number[]): number =>
	values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
