import type { Rational, Size, SourceVideo } from "../types.ts";

/** Returns the size of the picture as it is displayed: with pixel aspect and rotation applied. */
export function displaySize(
	video: Pick<SourceVideo, "width" | "height" | "rotation"> & { readonly sampleAspectRatio: Rational },
): Size {
	const { numerator, denominator } = video.sampleAspectRatio;
	const width = Math.max(1, Math.round((video.width * numerator) / denominator));
	const { height } = video;
	return video.rotation === 90 || video.rotation === 270 ? { width: height, height: width } : { width, height };
}
