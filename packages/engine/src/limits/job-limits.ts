import { type Job, limits } from "@reelmill/contracts";

/**
 * What a worker may take on with one source: the length that its domain allowed when it was initiated, and what has to
 * be decoded of a source so long.
 */
export function jobLimits(maxDurationSeconds: number, isSandbox: boolean): Job["limits"] {
	const { decodedPixelsPerSecond } = isSandbox ? limits.sandbox : limits;
	return { max_duration_seconds: maxDurationSeconds, max_decoded_pixels: decodedPixelsPerSecond * maxDurationSeconds };
}
