import type { Container } from "../types.ts";

/**
 * 8K. A larger picture is `dimensions_too_large`; ffmpeg itself is told the same, so that no header can make it
 * allocate more.
 */
export const maxPixels = 7680 * 4320;

/** Enough for any recorder; each costs memory. */
const maxStreams = 64;

/** Bytes of one allocation: the largest picture in sixteen bits, or the index of a film of many hours. */
const maxAllocation = 512 * 1024 ** 2;

/** A whitelist must hold the demuxer's whole name. */
const demuxerNames: Record<Container, string> = {
	mov: "mov,mp4,m4a,3gp,3g2,mj2",
	matroska: "matroska,webm",
	mpegts: "mpegts",
	mpeg: "mpeg",
	avi: "avi",
	flv: "flv",
};

/**
 * What stands before every source that ffmpeg or ffprobe opens: the demuxer by force, local files only, bounded
 * pictures, streams and allocations.
 * @param pixels Of a picture; 8K unless told.
 */
export const guardedInput = (container: Container, path: string, pixels = maxPixels): string[] => [
	...["-protocol_whitelist", "file", "-format_whitelist", demuxerNames[container], "-max_pixels", String(pixels)],
	...["-max_streams", String(maxStreams), "-max_alloc", String(maxAllocation)],
	...["-f", container, "-i", path],
];
