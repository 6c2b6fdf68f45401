/** A cache of slices of one size: the slice that was used last stays the longest, and none stays longer than its life. */
export type SliceCache = {
	/** Returns whether the slice was there at that time, and keeps it from then on if it wasn't. */
	use(slice: number, second: number): boolean;
};

/** Creates a cache for slices numbered from 0 to below `slices`, which keeps at most `most` of them. */
export function createSliceCache(slices: number, most: number, lifeSeconds: number): SliceCache {
	// A ring by use: the entry `slices` stands between the newest and the oldest.
	const older = new Int32Array(slices + 1).fill(-1);
	const newer = new Int32Array(slices + 1).fill(-1);
	const until = new Float64Array(slices);
	older[slices] = slices;
	newer[slices] = slices;
	let count = 0;
	const takeOut = (slice: number) => {
		const [before, after] = [older[slice] as number, newer[slice] as number];
		newer[before] = after;
		older[after] = before;
		older[slice] = -1;
		count--;
	};
	const putFirst = (slice: number) => {
		const newest = older[slices] as number;
		older[slice] = newest;
		newer[newest] = slice;
		newer[slice] = slices;
		older[slices] = slice;
		count++;
	};
	return {
		use(slice, second) {
			const isKept = older[slice] !== -1;
			const isHit = isKept && second < (until[slice] as number);
			if (isKept) takeOut(slice);
			if (!isHit) until[slice] = second + lifeSeconds;
			putFirst(slice);
			if (count > most) takeOut(newer[slices] as number);
			return isHit;
		},
	};
}
