import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";

/** Pictures as ffmpeg decodes them: of one size, with three bytes for each pixel. */
export type Pictures = readonly Buffer[];

const [width, height] = [128, 72];
const pictureBytes = width * height * 3;
/** How far apart two pictures are by the mean of all bytes, if they show the same. The encoder changes a little. */
const sameWithin = 16;

/** Decodes the pictures of a file, all of them. */
export async function decodePictures(file: Uint8Array): Promise<Pictures> {
	const output = [
		"-f",
		"rawvideo",
		"-pix_fmt",
		"rgb24",
		"-vf",
		`scale=${width}:${height}`,
		"-fps_mode",
		"passthrough",
		"-",
	];
	const ffmpeg = spawn("ffmpeg", ["-v", "error", "-i", "-", ...output], { stdio: ["pipe", "pipe", "ignore"] });
	ffmpeg.stdin.on("error", () => undefined);
	ffmpeg.stdin.end(file);
	const [all] = await Promise.all([buffer(ffmpeg.stdout), once(ffmpeg, "close")]);
	return Array.from({ length: Math.floor(all.length / pictureBytes) }, (_, index) =>
		all.subarray(index * pictureBytes, (index + 1) * pictureBytes),
	);
}

/** Returns the picture of one colour. */
export const plainPicture = (rgb: readonly [number, number, number]): Buffer =>
	Buffer.alloc(pictureBytes, Uint8Array.from(rgb));

/** Returns the number of the picture that shows the same as this one; null if none does. */
export function nearestPicture(picture: Buffer, of: Pictures): number | null {
	let [nearest, least] = [null as number | null, sameWithin];
	for (const [index, other] of of.entries()) {
		let sum = 0;
		// Each fifth byte: of all colours and places.
		for (let at = 0; at < pictureBytes; at += 5) sum += Math.abs((picture[at] ?? 0) - (other[at] ?? 0));
		const distance = sum / (pictureBytes / 5);
		if (distance < least) [nearest, least] = [index, distance];
	}
	return nearest;
}
