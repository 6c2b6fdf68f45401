import { join } from "node:path";
import type { Track } from "../mp4/track.ts";
import type { Run } from "../run/programs.ts";
import { jpegColours } from "./jpeg-colours.ts";
import { fitInto } from "./storyboard.ts";

const fill = "scale=1200:630:force_original_aspect_ratio=increase,crop=1200:630";
/** The whole picture over a blurred copy that fills the frame. */
const inset = [
	"split[a][b]",
	`[a]${fill},boxblur=24:2[back]`,
	"[b]scale=1200:630:force_original_aspect_ratio=decrease[front]",
	"[back][front]overlay=(W-w)/2:(H-h)/2",
];

/**
 * The filters that fit a picture into the frame. A landscape picture loses a little at its edges, others lose nothing.
 */
const frame = ({ width, height }: Track): string => {
	const isLandscape = width / height >= 1.5 && width / height <= 2.4;
	return `${isLandscape ? fill : inset.join(";")},setsar=1,${jpegColours}`;
};

/** The longer side of a poster, at most: a player shows it for a moment, and loads it before anything else. */
const posterSide = 1280;

/** The filters that leave a picture its shape. */
const whole = (track: Track): string => {
	const { width, height } = fitInto(posterSide, track);
	return `scale=${width}:${height}:flags=area,setsar=1,${jpegColours}`;
};

/**
 * Writes the picture that a finished track shows at a moment, which is decoded once: as `og.jpg`, of 1200x630, and as
 * `poster.jpg`, of the video's own shape. Returns both paths.
 */
export async function writeThumbnail(
	{ programs, signal, directory }: Run & { readonly directory: string },
	{ track, path, seconds }: { track: Track; path: string; seconds: number },
): Promise<string[]> {
	// Rounded down: a time after the key frame's own would show the picture after it.
	const moment = (Math.floor(seconds * 1000) / 1000).toFixed(3);
	const args = [
		...["-nostdin", "-v", "error", "-y", "-ss", moment, "-f", "mov", "-i", path],
		...["-filter_complex", `[0:v]split[link][player];[link]${frame(track)}[og];[player]${whole(track)}[poster]`],
		...["-map", "[og]", "-frames:v", "1", "-q:v", "3", "-f", "image2", "-update", "1", join(directory, "og.jpg")],
		...["-map", "[poster]", "-frames:v", "1", "-q:v", "5", "-f", "image2", "-update", "1"],
		join(directory, "poster.jpg"),
	];
	await programs.run("ffmpeg", args, { signal, reads: [path], writes: [directory] });
	return ["og.jpg", "poster.jpg"];
}
