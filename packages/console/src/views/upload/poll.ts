import { isMoving, type VideoView } from "../../playback/video-state.tsx";

const shortestMilliseconds = 2000;
const longestMilliseconds = 30_000;
/** How often all rows together may ask. */
const eachMilliseconds = 1000;

/**
 * How many milliseconds a row waits before it asks for its video again: longer with many rows, and undefined, which is
 * never, once nothing more becomes of the video.
 */
export function pollMilliseconds(video: Pick<VideoView, "state"> | undefined, rows: number): number | undefined {
	if (video !== undefined && !isMoving(video)) return undefined;
	return Math.min(longestMilliseconds, Math.max(shortestMilliseconds, rows * eachMilliseconds));
}
