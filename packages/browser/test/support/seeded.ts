/** A run of chance that can be repeated: a linear congruential generator. */
export function seeded(seed: number): { fraction(): number } {
	let value = seed;
	return {
		fraction() {
			value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
			return value / 2 ** 32;
		},
	};
}
