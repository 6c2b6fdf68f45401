import type { Container } from "../types.ts";

/**
 * Says whether a container's clock may jump midway. That happens in containers for broadcasts, after a loss of signal
 * or if the file is several recordings one after another, as an Ogg may be too.
 */
export const mayJump = (container: Container): boolean => ["mpegts", "mpeg", "ogg"].includes(container);

/** How many seconds a packet may be ahead of the expected time before ffmpeg takes it for a jump of the clock. */
const mostAhead = 10;
/** How many seconds a packet may be behind the one before it in its stream, likewise. */
const mostBehind = 0.1;

/**
 * Makes a function that follows the clock of the packets in the order of the file, and returns the seconds to add to
 * each packet's times. ffmpeg removes jumps by the same rule when it decodes: what comes after a jump follows directly
 * on what came before.
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
