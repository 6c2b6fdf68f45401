import { dirname } from "node:path";
import type { Programs } from "../run/programs.ts";

/**
 * Joins a finished H.264 track and the sound into one plain MP4 whose index stands in front. Nothing is encoded again.
 */
export async function remuxMp4(
	programs: Programs,
	video: string,
	audio: string | null,
	target: string,
	signal?: AbortSignal,
): Promise<void> {
	const inputs = [video, ...(audio === null ? [] : [audio])];
	const args = [
		"-nostdin",
		"-v",
		"error",
		"-y",
		...inputs.flatMap((path) => ["-f", "mov", "-i", path]),
		...inputs.flatMap((_, n) => ["-map", String(n)]),
	];
	args.push("-c", "copy", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4", target);
	await programs.run("ffmpeg", args, { signal, reads: inputs, writes: [dirname(target)] });
}
