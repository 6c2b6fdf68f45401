import { dirname } from "node:path";
import type { Track } from "../mp4/track.ts";
import type { Programs } from "../run/programs.ts";
import { jpegColours } from "./jpeg-colours.ts";

const fill = "scale=1200:630:force_original_aspect_ratio=increase,crop=1200:630";
// The whole picture over a blurred copy that fills the frame.
const inset = [
	"split[a][b]",
	`[a]${fill},boxblur=24:2[back]`,
	"[b]scale=1200:630:force_original_aspect_ratio=decrease[front]",
	"[back][front]overlay=(W-w)/2:(H-h)/2",
];

/** A landscape picture fills the frame, which cuts a little off; of any other shape nothing is cut. */
const frame = ({ width, height }: Track): string => {
	const landscape = width / height >= 1.5 && width / height <= 2.4;
	return `${landscape ? fill : inset.join(";")},setsar=1,${jpegColours}`;
};

/** Writes a JPEG of 1200x630 of the picture that a finished track shows at a moment. */
export async function thumbnail(
	programs: Programs,
	{
		track,
		path,
		seconds,
		target,
		signal,
	}: { track: Track; path: string; seconds: number; target: string; signal?: AbortSignal | undefined },
): Promise<void> {
	// Down, never up: a key frame's time in milliseconds must not pass it, or its successor would be shown.
	const moment = (Math.floor(seconds * 1000) / 1000).toFixed(3);
	const args = [
		"-nostdin",
		"-v",
		"error",
		"-y",
		"-ss",
		moment,
		"-f",
		"mov",
		"-i",
		path,
		"-filter_complex",
		`[0:v]${frame(track)}`,
	];
	await programs.run("ffmpeg", [...args, "-frames:v", "1", "-q:v", "3", "-f", "image2", "-update", "1", target], {
		signal,
		reads: [path],
		writes: [dirname(target)],
	});
}
