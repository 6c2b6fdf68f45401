import { rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { audioBitrate, audioSampleRate } from "../plan/ladder.ts";
import type { Run } from "../run/programs.ts";
import { concatInput, ffconcat } from "./ffconcat.ts";

const pieceSeconds = 8;
/**
 * The length of the samples that the encoder puts in front. With them a piece is 375 whole frames of AAC, so its copies
 * leave no gap.
 */
const primingSeconds = 1024 / audioSampleRate;

/** Writes a file of silence in the form of all encoded sound. Only a piece is encoded; copies of it fill the rest. */
export async function writeSilence({ programs, signal }: Run, seconds: number, target: string): Promise<void> {
	const run = (args: readonly string[], reads: readonly string[], output: string) => {
		const form = ["-movflags", "+cmaf+delay_moov+global_sidx", "-f", "mp4", output];
		return programs.run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args, ...form], {
			signal,
			reads,
			writes: [dirname(target)],
		});
	};
	const encode = (length: number, output: string) => {
		const input = ["-f", "lavfi", "-i", `anullsrc=r=${audioSampleRate}:cl=stereo`, "-t", length.toFixed(6)];
		return run([...input, "-c:a", "aac", "-b:a", String(audioBitrate[2])], [], output);
	};
	if (seconds <= pieceSeconds) {
		await encode(seconds, target);
		return;
	}
	const [piece, list] = [`${target}.piece`, `${target}.ffconcat`];
	await encode(pieceSeconds - primingSeconds, piece);
	await writeFile(
		list,
		ffconcat(Array.from({ length: Math.ceil(seconds / pieceSeconds) }, () => ({ path: piece, seconds: pieceSeconds }))),
	);
	await run([...concatInput(list), "-t", seconds.toFixed(6), "-c", "copy"], [piece, list], target);
	await Promise.all([rm(piece), rm(list)]);
}
