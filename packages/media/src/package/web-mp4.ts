import { dirname } from "node:path";
import type { Run } from "../run/programs.ts";

/**
 * Joins a finished H.264 track and the sound, if any, into one plain MP4 with its index in front, without an encode.
 */
export async function remuxMp4(
	{ programs, signal }: Run,
	{ video, audio, target }: { readonly video: string; readonly audio: string | null; readonly target: string },
): Promise<void> {
	const inputs = [video, ...(audio === null ? [] : [audio])];
	const args = [
		...["-nostdin", "-v", "error", "-y", ...inputs.flatMap((path) => ["-f", "mov", "-i", path])],
		...inputs.flatMap((_, n) => ["-map", String(n)]),
		...["-c", "copy", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4", target],
	];
	await programs.run("ffmpeg", args, { signal, reads: inputs, writes: [dirname(target)] });
}
