import { dirname } from "node:path";
import { audioSampleRate } from "../plan/ladder.ts";
import type { Run } from "../run/programs.ts";

/** Finished tracks that are to become one file. */
type Joined = {
	/** Path of an H.264 track. */
	readonly video: string;
	/** Path of the sound; `null` for none. */
	readonly audio: string | null;
	/** How many samples at the beginning of the sound an edit list hides. The file then hides them as well. */
	readonly hiddenSamples: number;
	readonly target: string;
};

/**
 * Options before an input whose samples in front are hidden: ffmpeg counts the time of a file from its first packet,
 * hidden or not.
 */
export const fromHidden = (samples: number): string[] =>
	samples === 0 ? [] : ["-itsoffset", (-samples / audioSampleRate).toFixed(6)];

/**
 * Joins a finished H.264 track and the sound, if any, into one plain MP4 with its index in front, without an encode.
 */
export async function remuxMp4(
	{ programs, signal }: Run,
	{ video, audio, hiddenSamples, target }: Joined,
): Promise<void> {
	const inputs = [video, ...(audio === null ? [] : [audio])];
	const input = (path: string) => [...(path === audio ? fromHidden(hiddenSamples) : []), "-f", "mov", "-i", path];
	const args = [
		...["-nostdin", "-v", "error", "-y", ...inputs.flatMap(input)],
		...inputs.flatMap((_, n) => ["-map", String(n)]),
		...["-c", "copy", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4", target],
	];
	await programs.run("ffmpeg", args, { signal, reads: inputs, writes: [dirname(target)] });
}
