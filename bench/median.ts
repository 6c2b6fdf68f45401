/** The middle one of `values`, of an even number the upper one; NaN of none. */
export const median = (values: readonly number[]): number =>
	values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
