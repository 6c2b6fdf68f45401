import { type Job, limits } from "@reelmill/contracts";

/**
 * Returns the limits of a job: the duration that the domain allowed when the upload was initiated, and the pixels that
 * a source of this duration may have.
 */
export function jobLimits(maxDurationSeconds: number, isSandbox: boolean): Job["limits"] {
	const { decodedPixelsPerSecond } = isSandbox ? limits.sandbox : limits;
	return { max_duration_seconds: maxDurationSeconds, max_decoded_pixels: decodedPixelsPerSecond * maxDurationSeconds };
}
