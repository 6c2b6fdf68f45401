import type { Container } from "../types.ts";

/** The most pixels of a picture (8K). ffmpeg gets the same limit, so that no header can make it allocate more. */
export const maxPixels = 7680 * 4320;

/** The most streams of a file. Each costs memory, and no recorder writes as many. */
const maxStreams = 64;

/** The most bytes of one allocation. The largest picture in sixteen bits and the index of a film of many hours fit. */
const maxAllocation = 512 * 1024 ** 2;

/** ffmpeg's whole names of the demuxers, as its whitelist needs them. */
const demuxerNames: Record<Container, string> = {
	mov: "mov,mp4,m4a,3gp,3g2,mj2",
	matroska: "matroska,webm",
	mpegts: "mpegts",
	mpeg: "mpeg",
	avi: "avi",
	flv: "flv",
	ogg: "ogg",
	asf: "asf",
	dv: "dv",
	gif: "gif",
	mxf: "mxf",
};

/**
 * Returns the arguments with which ffmpeg and ffprobe open a source: with this container's demuxer alone, local files
 * alone, and bounded pictures, streams and allocations.
 * @param pixels the most pixels of a picture (default: 8K)
 */
export const guardedInput = (container: Container, path: string, pixels = maxPixels): string[] => [
	...["-protocol_whitelist", "file", "-format_whitelist", demuxerNames[container], "-max_pixels", String(pixels)],
	...["-max_streams", String(maxStreams), "-max_alloc", String(maxAllocation)],
	...["-f", container, "-i", path],
];

/** The formats of single pictures. */
export type PictureFormat = "jpeg" | "png" | "webp";

/** The most pixels of a picture that somebody sends. */
const mostPicturePixels = 50_000_000;

/** Does the same for a single picture: its decoder gets no other file, and no second picture. */
export const guardedPicture = (format: PictureFormat, path: string): string[] => [
	...["-protocol_whitelist", "file", "-format_whitelist", `${format}_pipe`, "-max_pixels", String(mostPicturePixels)],
	...["-max_streams", "1", "-max_alloc", String(maxAllocation), "-f", `${format}_pipe`, "-i", path],
];

/** Escapes a value of a filter's option, and then for the graph (ffmpeg-filters, "Notes on filtergraph escaping"). */
const inGraph = (value: string): string => value.replaceAll(/[\\':]/g, "\\$&").replaceAll(/[\\'[\],;]/g, "\\$&");

/**
 * Returns the arguments with which ffmpeg opens a source through its filter `movie`, by the same guards. The filter
 * decodes by one thread.
 * @param streams the filter's options that choose streams
 * @param filters what follows the filter in the graph
 */
export function guardedMovie(container: Container, path: string, streams: string, filters: string): string[] {
	const format = `protocol_whitelist=file:format_whitelist=${demuxerNames[container]}:max_streams=${maxStreams}`;
	const movie = `movie=filename=${inGraph(path)}:f=${container}:${streams}:dec_threads=1:format_opts=${inGraph(format)}`;
	return ["-max_alloc", String(maxAllocation), "-f", "lavfi", "-i", `${movie},${filters}`];
}
