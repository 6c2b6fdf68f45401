import type { PlannedRendition } from "../plan/encode-plan.ts";

/** An encode of one rendition, or of several that one program made together, in seconds. */
export type EncodeRun = {
	/** The names of the renditions. */
	readonly renditions: readonly string[];
	/** How long after the beginning of the step `encode` it began. */
	readonly started_seconds: number;
	readonly seconds: number;
};

/** An encode that has begun, and how far its renditions have come. */
export type EncodeProgress = {
	/** The names of the renditions that are encoded together. */
	readonly renditions: readonly string[];
	/** When it began, in milliseconds as `performance.now()` counts them. */
	readonly startedAt: number;
	/** How many seconds it took; `null` while it runs. */
	readonly seconds: number | null;
	/** Percent of the renditions, in whole numbers that never fall. That of an opening ends below 100. */
	readonly progress: number;
};

type OnShare = (share: number) => void;

/** Notes which renditions were encoded together, from when to when. */
export type EncodeMeter = {
	/** The encodes that have ended, in the order of their ends. */
	readonly runs: readonly EncodeRun[];
	/** Returns the encodes that have begun and not failed, in the order of their beginnings. */
	begun(): EncodeProgress[];
	/**
	 * Does the work, and notes when it ran. An encode that fails is not noted: it rejects as its work does. The work tells
	 * the share of the renditions that is done, from 0 to 1, to the function that it is given, which passes it on.
	 */
	measure<T>(
		renditions: readonly PlannedRendition[],
		work: (onShare: OnShare) => Promise<T>,
		onShare?: OnShare,
	): Promise<T>;
};

const toSeconds = (milliseconds: number): number => Math.round(milliseconds) / 1000;

/** Creates a meter. Its time begins with the first encode. */
export function createEncodeMeter(): EncodeMeter {
	const runs: EncodeRun[] = [];
	const begun = new Set<{ -readonly [K in keyof EncodeProgress]: EncodeProgress[K] }>();
	let begunAt: number | undefined;
	return {
		runs,
		begun: () => Array.from(begun, (run) => ({ ...run })),
		async measure(renditions, work, onShare) {
			const startedAt = performance.now();
			begunAt ??= startedAt;
			const names = renditions.map(({ name }) => name);
			const run = { renditions: names, startedAt, seconds: null as number | null, progress: 0 };
			begun.add(run);
			try {
				const result = await work((share) => {
					run.progress = Math.max(run.progress, Math.floor(share * 100));
					onShare?.(share);
				});
				run.seconds = toSeconds(performance.now() - startedAt);
				runs.push({ renditions: names, started_seconds: toSeconds(startedAt - begunAt), seconds: run.seconds });
				return result;
			} catch (error) {
				begun.delete(run);
				throw error;
			}
		},
	};
}
