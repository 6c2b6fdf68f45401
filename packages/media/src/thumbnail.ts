import { dirname } from "node:path";
import type { Programs } from "./programs.ts";
import type { Track } from "./track.ts";

const sample = { width: 32, height: 18 };

/** Standard deviation of each picture's brightness: a black, white or faded one has next to none. */
function contrasts(pixels: Buffer): number[] {
	const size = sample.width * sample.height;
	return Array.from({ length: Math.floor(pixels.length / size) }, (_, n) => {
		const picture = [...pixels.subarray(n * size, (n + 1) * size)];
		const mean = picture.reduce((sum, value) => sum + value, 0) / size;
		return Math.sqrt(picture.reduce((sum, value) => sum + (value - mean) ** 2, 0) / size);
	});
}

/** The first picture that has at least three quarters of the best one's contrast. */
function choosePicture(pixels: Buffer): number {
	const found = contrasts(pixels);
	const wanted = Math.max(...found) * 0.75;
	return Math.max(
		0,
		found.findIndex((contrast) => contrast >= wanted),
	);
}

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
	return `${landscape ? fill : inset.join(";")},setsar=1,format=yuvj420p`;
};

/** Writes a JPEG of 1200x630 from a key frame of a finished track, the first with enough contrast to show something. Only key frames are decoded. */
export async function thumbnail(programs: Programs, track: Track, path: string, target: string, signal?: AbortSignal): Promise<void> {
	const input = ["-nostdin", "-v", "error", "-y", "-skip_frame", "nokey", "-f", "mov"];
	const tiny = ["-vf", `scale=${sample.width}:${sample.height}`, "-fps_mode", "passthrough", "-pix_fmt", "gray", "-f", "rawvideo", "pipe:1"];
	const { stdout } = await programs.run("ffmpeg", [...input, "-i", path, "-an", ...tiny], { signal, reads: [path] });
	const second = track.segments[choosePicture(stdout)]?.startSeconds ?? 0;
	const picture = [
		"-ss",
		second.toFixed(3),
		"-i",
		path,
		"-filter_complex",
		frame(track),
		"-frames:v",
		"1",
		"-q:v",
		"3",
		"-f",
		"image2",
		"-update",
		"1",
		target,
	];
	await programs.run("ffmpeg", [...input, ...picture], { signal, reads: [path], writes: [dirname(target)] });
}
