/** Random numbers that are the same for the same seed. */
export type Random = {
	/** Returns a number from 0 to just below 1. */
	fraction(): number;
	/** Returns a whole number from `least` to `most`, both included. */
	integer(least: number, most: number): number;
	pick<T>(from: readonly [T, ...T[]]): T;
	/** Returns true with this probability, from 0 to 1. */
	chance(share: number): boolean;
	/** Returns another generator. Its numbers depend only on this one's seed and the name, not on how many were drawn. */
	named(name: string): Random;
};

/** Creates a Mulberry32 generator (Tommy Ettinger): small, fast, and random enough to choose what to break. */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const fraction = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const integer = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
	return {
		fraction,
		integer,
		pick: (from) => from[integer(0, from.length - 1)] ?? from[0],
		chance: (share) => fraction() < share,
		named(name) {
			let hash = seed >>> 0;
			for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
			return createRandom(hash);
		},
	};
}
