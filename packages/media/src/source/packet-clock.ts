import type { Container } from "../types.ts";

/**
 * True of containers made for broadcast, whose clock may be set anew midway: behind a loss of signal, or where
 * recordings stand one behind another.
 */
export const mayJump = (container: Container): boolean => container === "mpegts" || container === "mpeg";

/**
 * Seconds by which a stream may be ahead of the time that it had got to, or behind its last packet, before ffmpeg takes
 * it for a jump of the clock.
 */
const mostAhead = 10;
const mostBehind = 0.1;

/**
 * Follows the clock of packets in the order in which they stand in the file, and gives the seconds to be added to a
 * packet's times: ffmpeg takes jumps out by the same rule as it decodes, so that what comes after one follows on what
 * came before.
 */
export function followClock(): (stream: number, decodingSeconds: number, duration: number) => number {
	const streams = new Map<number, { last: number; next: number }>();
	let latest: number | undefined;
	let shift = 0;
	return (stream, decodingSeconds, duration) => {
		if (Number.isNaN(decodingSeconds)) return shift;
		const before = streams.get(stream);
		const expected = before?.next ?? latest;
		const time = decodingSeconds + shift;
		if (expected !== undefined) {
			const isBehind = before !== undefined && time + mostBehind < before.last;
			if (isBehind || Math.abs(time - expected) > mostAhead) shift += expected - time;
		}
		latest = decodingSeconds + shift;
		streams.set(stream, { last: latest, next: latest + (Number.isNaN(duration) ? 0 : duration) });
		return shift;
	};
}
