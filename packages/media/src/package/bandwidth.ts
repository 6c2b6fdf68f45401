import type { Track } from "../mp4/track.ts";

/** Returns the average bits per second of the segments. RFC 8216 does not count the rest of the file. */
export const averageBandwidth = ({ segments, seconds }: Track): number =>
	Math.ceil((segments.reduce((sum, { length }) => sum + length, 0) * 8) / seconds);

/**
 * Returns RFC 8216's peak: the largest bit rate of any run of segments that lasts between half and one and a half times
 * the target duration. A shorter track's peak is its average.
 */
export function peakBandwidth(track: Track, targetSeconds: number): number {
	let peak = averageBandwidth(track);
	for (const first of track.segments.keys()) {
		let bytes = 0;
		let seconds = 0;
		for (const segment of track.segments.slice(first)) {
			bytes += segment.length;
			seconds += segment.seconds;
			if (seconds > 1.5 * targetSeconds) break;
			if (seconds >= 0.5 * targetSeconds) peak = Math.max(peak, Math.ceil((bytes * 8) / seconds));
		}
	}
	return peak;
}
