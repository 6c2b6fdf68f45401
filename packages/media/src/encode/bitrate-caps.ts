import type { Track } from "../mp4/track.ts";
import type { PlannedRendition } from "../plan/encode-plan.ts";

/** The size of the decoder's buffer that `encodeArguments` tells the encoders, in seconds at the cap. */
const bufferSeconds = 2;
/** The AV1 encoder keeps to its maximum only roughly. */
const tolerance = 1.1;

/** Says whether any run of segments holds more than the cap's rate and a full buffer can bring. */
export function isAboveCap(track: Track, maxBitrate: number): boolean {
	// How many bits the worst run that ends here has above the rate.
	let excess = 0;
	for (const { length, seconds } of track.segments) {
		excess = Math.max(0, excess) + length * 8 - maxBitrate * seconds * tolerance;
		if (excess > maxBitrate * bufferSeconds) return true;
	}
	return false;
}

type Candidate = { readonly rendition: PlannedRendition; readonly track: Track };

/**
 * Separates the renditions that keep to their caps from those that don't. The AV1 encoder passes its cap with pure
 * noise, since its coarsest quantiser is not coarse enough. The last delivered rendition is always kept; with
 * `needsH264` the last one of H.264 is, too.
 */
export function withinCaps<T extends Candidate>(made: readonly T[], needsH264: boolean): { kept: T[]; dropped: T[] } {
	const dropped: T[] = [];
	const enough = (left: readonly T[]) =>
		left.some(({ rendition }) => rendition.delivered) &&
		(!needsH264 || left.some(({ rendition }) => rendition.codec === "h264"));
	const left = () => made.filter((candidate) => !dropped.includes(candidate));
	for (const candidate of made
		.filter(({ rendition, track }) => rendition.delivered && isAboveCap(track, rendition.maxBitrate))
		.reverse()) {
		if (enough(left().filter((other) => other !== candidate))) dropped.push(candidate);
	}
	return { kept: left(), dropped };
}
