import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Clips } from "../processes/content.ts";

/** How long each lasts, in seconds. The transcoder cuts the long one into chunks. */
const lengths: Readonly<Record<keyof Clips, number>> = { short: 1.5, long: 48 };

/** Makes both clips with ffmpeg's own generators. Returns their paths. */
export async function makeClips(directory: string): Promise<Readonly<Record<keyof Clips, string>>> {
	const make = async (name: keyof Clips): Promise<string> => {
		const path = join(directory, `${name}.mp4`);
		const input = ["-f", "lavfi", "-i", `testsrc2=size=128x72:rate=10:duration=${lengths[name]}`];
		const encode = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "40", "-g", "20", "-pix_fmt", "yuv420p"];
		await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...input, ...encode, "-movflags", "+faststart", path]);
		return path;
	};
	return { short: await make("short"), long: await make("long") };
}

export const readClips = async (paths: Readonly<Record<keyof Clips, string>>): Promise<Clips> => ({
	short: await readFile(paths.short),
	long: await readFile(paths.long),
});
