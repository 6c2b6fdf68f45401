import { dirname } from "node:path";
import { audioBitrate, audioSampleRate } from "./ladder.ts";
import type { Programs } from "./programs.ts";

/** Writes a file of silence in the form that all sound is encoded in. */
export async function silence(programs: Programs, seconds: number, target: string, signal?: AbortSignal): Promise<void> {
	const input = ["-f", "lavfi", "-i", `anullsrc=r=${audioSampleRate}:cl=stereo`, "-t", String(seconds)];
	const encoder = ["-c:a", "aac", "-b:a", String(audioBitrate), "-movflags", "+cmaf+delay_moov+global_sidx"];
	await programs.run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...input, ...encoder, "-f", "mp4", target], { signal, writes: [dirname(target)] });
}
