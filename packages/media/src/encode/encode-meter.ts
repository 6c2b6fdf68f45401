import type { PlannedRendition } from "../plan/encode-plan.ts";

/** An encode of one rendition, or of several that one program made together, in seconds. */
export type EncodeRun = {
	/** The names of the renditions. */
	readonly renditions: readonly string[];
	/** How long after the beginning of the step `encode` it began. */
	readonly started_seconds: number;
	readonly seconds: number;
};

/** Notes which renditions were encoded together, from when to when. */
export type EncodeMeter = {
	/** The encodes that have ended, in the order of their ends. */
	readonly runs: readonly EncodeRun[];
	/** Does the work, and notes when it ran. An encode that fails is not noted: it rejects as its work does. */
	measure<T>(renditions: readonly PlannedRendition[], work: () => Promise<T>): Promise<T>;
};

const toSeconds = (milliseconds: number): number => Math.round(milliseconds) / 1000;

/** Creates a meter. Its time begins with the first encode. */
export function createEncodeMeter(): EncodeMeter {
	const runs: EncodeRun[] = [];
	let begunAt: number | undefined;
	return {
		runs,
		async measure(renditions, work) {
			const startedAt = performance.now();
			begunAt ??= startedAt;
			const result = await work();
			runs.push({
				renditions: renditions.map(({ name }) => name),
				started_seconds: toSeconds(startedAt - begunAt),
				seconds: toSeconds(performance.now() - startedAt),
			});
			return result;
		},
	};
}
