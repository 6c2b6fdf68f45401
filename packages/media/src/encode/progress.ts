/** A part of a job's encode: what can be played first, and the rest. */
type Part = "first" | "rest";

/** Tells the progress of a job in whole percents that never fall. */
export type Progress = {
	/** Reports a percent, unless a higher one was reported before. */
	tell(percent: number): void;
	/** Returns a function that takes the share of these parts that is done, from 0 to 1. */
	onShare(...parts: Part[]): (share: number) => void;
};

/** The share of an encode's work that is for what can be played first. */
const firstShare = 0.2;
/** The percents before and after the encode. */
const [before, after] = [1, 90];

export function createProgress(onProgress: (percent: number) => void): Progress {
	let told = -1;
	const shares: Record<Part, number> = { first: 0, rest: 0 };
	const tell = (percent: number) => {
		if (percent <= told) return;
		told = percent;
		onProgress(percent);
	};
	return {
		tell,
		onShare:
			(...parts) =>
			(share) => {
				for (const part of parts) shares[part] = share;
				const done = firstShare * shares.first + (1 - firstShare) * shares.rest;
				tell(before + Math.floor(done * (after - before)));
			},
	};
}
