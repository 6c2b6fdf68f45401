import type { Track } from "../mp4/track.ts";
import type { PlannedRendition } from "../plan/encode-plan.ts";

/** The decoder's buffer that the encoders are told, in seconds of the cap; see `encodeArguments`. */
const bufferSeconds = 2;
/** The AV1 encoder keeps to its maximum only roughly. */
const tolerance = 1.1;

/** True where any run of segments holds more than the cap's rate and a full buffer can bring. */
export function isAboveCap(track: Track, maxBitrate: number): boolean {
	// By how many bits the worst run that ends here is above what the rate brings.
	let excess = 0;
	for (const { length, seconds } of track.segments) {
		excess = Math.max(0, excess) + length * 8 - maxBitrate * seconds * tolerance;
		if (excess > maxBitrate * bufferSeconds) return true;
	}
	return false;
}

type Candidate = { readonly rendition: PlannedRendition; readonly track: Track };

/**
 * Parts the renditions that keep to their caps from those that don't: of pure noise the AV1 encoder makes more than it
 * may, since its coarsest quantiser is reached. The last one delivered is kept whatever it is, and so is the last of
 * H.264 where `needsH264`.
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
