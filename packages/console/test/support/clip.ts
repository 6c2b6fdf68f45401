import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Makes a clip of some seconds with a picture at an odd rate and with silence, and returns its path. */
export async function makeClip(directory: string, seconds: number): Promise<string> {
	const path = join(directory, "clip.mp4");
	await promisify(execFile)("ffmpeg", [
		...["-loglevel", "error", "-y", "-f", "lavfi", "-i", `testsrc=size=640x360:rate=26:duration=${seconds}`],
		...["-f", "lavfi", "-i", `anullsrc=r=48000:duration=${seconds}`],
		...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest", path],
	]);
	return path;
}
