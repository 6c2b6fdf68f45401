import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const whole = fileURLToPath(new URL("../../../demo/assets/clip.mp4", import.meta.url));

/** Cuts the first two seconds of the demo's clip into `clip.mp4` of a directory, and returns its path. */
export async function makeShortClip(directory: string): Promise<string> {
	const clip = join(directory, "clip.mp4");
	await promisify(execFile)("ffmpeg", ["-v", "error", "-i", whole, "-t", "2", "-c", "copy", clip]);
	return clip;
}
