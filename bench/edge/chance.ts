/** Returns a function that turns a number from 0 to below 1 into a rank from 0. */
export function createZipf(count: number, exponent: number): (chance: number) => number {
	const sums = new Float64Array(count);
	let sum = 0;
	for (let rank = 0; rank < count; rank++) sums[rank] = sum += 1 / (rank + 1) ** exponent;
	return (chance) => {
		let [low, high] = [0, count - 1];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((sums[middle] as number) > chance * sum) high = middle;
			else low = middle + 1;
		}
		return low;
	};
}

/** Mulberry32: the same numbers in each run. */
export function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
