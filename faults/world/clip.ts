import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

export type Clip = { readonly path: string; readonly bytes: Uint8Array };

/** Makes a clip of half a second with ffmpeg's own generators. */
export async function makeClip(path: string): Promise<Clip> {
	const input = ["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=10:duration=0.5"];
	await promisify(execFile)("ffmpeg", [
		"-v",
		"error",
		"-y",
		...input,
		"-c:v",
		"libx264",
		"-preset",
		"ultrafast",
		"-pix_fmt",
		"yuv420p",
		"-movflags",
		"+faststart",
		path,
	]);
	return { path, bytes: await readFile(path) };
}
