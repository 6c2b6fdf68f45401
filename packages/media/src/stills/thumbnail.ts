import { dirname } from "node:path";
import type { Track } from "../mp4/track.ts";
import type { Run } from "../run/programs.ts";
import { jpegColours } from "./jpeg-colours.ts";

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

/** Writes a JPEG of 1200x630 of the picture that a finished track shows at a moment. */
export async function writeThumbnail(
	{ programs, signal }: Run,
	{ track, path, seconds, target }: { track: Track; path: string; seconds: number; target: string },
): Promise<void> {
	// Rounded down: a time after the key frame's own would show the picture after it.
	const moment = (Math.floor(seconds * 1000) / 1000).toFixed(3);
	const args = [
		...["-nostdin", "-v", "error", "-y", "-ss", moment, "-f", "mov", "-i", path],
		...["-filter_complex", `[0:v]${frame(track)}`],
		...["-frames:v", "1", "-q:v", "3", "-f", "image2", "-update", "1", target],
	];
	await programs.run("ffmpeg", args, { signal, reads: [path], writes: [dirname(target)] });
}
