import type { Codec } from "../types.ts";

/** Tells the progress of a job in whole percents that never fall. */
export type Progress = {
	/** Reports a percent, unless a higher one was reported before. */
	tell(percent: number): void;
	/** Returns a function that takes the share of these codecs' encode that is done, from 0 to 1. */
	onShare(...codecs: Codec[]): (share: number) => void;
};

/** H.264's share of the encoders' work. */
const h264Share = 0.3;
/** The percents before and after the encode. */
const [before, after] = [1, 90];

export function createProgress(onProgress: ((percent: number) => void) | undefined): Progress {
	let told = -1;
	const shares: Record<Codec, number> = { h264: 0, av1: 0 };
	const tell = (percent: number) => {
		if (percent <= told) return;
		told = percent;
		onProgress?.(percent);
	};
	return {
		tell,
		onShare:
			(...codecs) =>
			(share) => {
				for (const codec of codecs) shares[codec] = share;
				const done = h264Share * shares.h264 + (1 - h264Share) * shares.av1;
				tell(before + Math.floor(done * (after - before)));
			},
	};
}
