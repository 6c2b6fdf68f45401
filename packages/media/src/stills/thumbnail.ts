import { join } from "node:path";
import type { Run } from "../run/programs.ts";
import type { Size } from "../types.ts";
import { jpegColours } from "./jpeg-colours.ts";
import { fitInto } from "./storyboard.ts";

const frameSize = { width: 1200, height: 630 };
const fill = ({ width, height }: Size) =>
	`scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height}`;
/** A blur of 24 pixels, or of less where the planes of colour are too small for that. */
const blur = ({ width, height }: Size) => Math.min(24, Math.floor(Math.min(width, height) / 8));
/** The whole picture over a blurred copy that fills a size. */
const inset = (size: Size) =>
	[
		"split[a][b]",
		`[a]${fill(size)},boxblur=${blur(size)}:2[back]`,
		`[b]scale=${size.width}:${size.height}:force_original_aspect_ratio=decrease[front]`,
		"[back][front]overlay=(W-w)/2:(H-h)/2",
	].join(";");

/**
 * The filters that fit a picture into the frame. A landscape picture loses a little at its edges, others lose nothing.
 */
const frame = ({ width, height }: Size): string => {
	const isLandscape = width / height >= 1.5 && width / height <= 2.4;
	return `${isLandscape ? fill(frameSize) : inset(frameSize)},setsar=1,${jpegColours}`;
};

/** The longer side of a poster, at most: a player shows it for a moment, and loads it before anything else. */
const posterSide = 1280;

/** The filters that leave a picture its shape. */
const whole = (size: Size): string => {
	const { width, height } = fitInto(posterSide, size);
	return `scale=${width}:${height}:flags=area,setsar=1,${jpegColours}`;
};

/** What pictures are made of: the arguments that open it, the file that they read, and filters before all others. */
type Opened = { readonly input: readonly string[]; readonly reads: string; readonly filters?: string };

/** Writes the first picture of what is opened, which has the shape of `size`, as `og.jpg` and as `poster.jpg`. */
async function writePictures(
	{ programs, signal, directory }: Run & { readonly directory: string },
	{ input, reads, filters = "null" }: Opened,
	size: Size,
): Promise<string[]> {
	const graph = `[0:v]${filters},split[link][player];[link]${frame(size)}[og];[player]${whole(size)}[poster]`;
	const args = [
		...["-nostdin", "-v", "error", "-y", ...input, "-filter_complex", graph],
		...["-map", "[og]", "-frames:v", "1", "-q:v", "3", "-f", "image2", "-update", "1", join(directory, "og.jpg")],
		...["-map", "[poster]", "-frames:v", "1", "-q:v", "5", "-f", "image2", "-update", "1"],
		join(directory, "poster.jpg"),
	];
	await programs.run("ffmpeg", args, { signal, reads: [reads], writes: [directory] });
	return ["og.jpg", "poster.jpg"];
}

/**
 * Writes the picture that a finished track shows at a moment, which is decoded once: as `og.jpg`, of 1200x630, and as
 * `poster.jpg`, of the video's own shape. Returns both paths.
 */
export function writeThumbnail(
	run: Run & { readonly directory: string },
	{ track, path, seconds }: { track: Size; path: string; seconds: number },
): Promise<string[]> {
	// Rounded down: a time after the key frame's own would show the picture after it.
	const moment = (Math.floor(seconds * 1000) / 1000).toFixed(3);
	return writePictures(run, { input: ["-threads", "1", "-ss", moment, "-f", "mov", "-i", path], reads: path }, track);
}

/** The longer side of a picture before it is brought into shape, at most. */
const workingSide = 2 * posterSide;

/**
 * Does the same of a single picture, which gets the shape of `size`: it is shown whole, over a blurred copy if it has
 * another shape. What is transparent becomes black.
 * @param input the arguments that open it
 */
export function writePictureOf(
	run: Run & { readonly directory: string },
	{ input, path }: { input: readonly string[]; path: string },
	size: Size,
): Promise<string[]> {
	const shape = fitInto(posterSide, size);
	const filters = [
		`scale='min(${workingSide},iw)':'min(${workingSide},ih)':force_original_aspect_ratio=decrease`,
		"format=gbrap,premultiply=inplace=1,format=gbrp",
		// The colours of a rendition.
		"scale=out_color_matrix=bt709:out_range=tv,format=yuv444p,setsar=1",
		`${inset(shape)},format=yuv420p`,
	];
	return writePictures(run, { input, reads: path, filters: filters.join(",") }, shape);
}
