import type { Track } from "../mp4/track.ts";

/** Average bits per second of the segments; what stands around them in the file is none of RFC 8216's bit rates. */
export const averageBandwidth = ({ segments, seconds }: Track): number =>
	Math.ceil((segments.reduce((sum, { length }) => sum + length, 0) * 8) / seconds);

/**
 * The largest bit rate of any run of segments that lasts between half and one and a half times the target duration: RFC
 * 8216's peak. A short last segment alone is no such run. A track shorter than that has its average for a peak.
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
