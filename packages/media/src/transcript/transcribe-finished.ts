import { join, resolve } from "node:path";
import { openPrograms, type Programs } from "../run/programs.ts";
import { guardedInput } from "../source/guarded-input.ts";
import type { Logger, Tools } from "../types.ts";
import { type MadeTranscript, speechFilters, transcribeSpeech, wavFormat, withoutSound } from "./make-transcript.ts";
import type { Transcriber } from "./transcriber.ts";

export type LateTranscriptOptions = {
	/** A finished MP4 file with the video's sound, as `process` made it. */
	readonly source: string;
	/** An existing folder, which takes `transcript.vtt`. */
	readonly directory: string;
	/** Of the video; cues after its end are left out. */
	readonly durationSeconds: number;
	readonly transcriber: Transcriber;
	readonly tools: Tools;
	readonly logger?: Logger;
	readonly signal?: AbortSignal;
	/** Each program is killed after so many seconds of wall clock (default: four hours). */
	readonly maxSeconds?: number;
};

async function hasSound(programs: Programs, source: string, signal: AbortSignal | undefined): Promise<boolean> {
	const args = [
		"-v",
		"error",
		...guardedInput("mov", source),
		"-select_streams",
		"a",
		"-show_entries",
		"stream=index",
		"-of",
		"csv=p=0",
	];
	return (await programs.run("ffprobe", args, { signal, reads: [source] })).stdout.length > 0;
}

/**
 * Makes the transcript of a video that is finished already, as `transcript.vtt`, or says why there is none:
 * `no_speech`, or `failed` where the transcriber fails. Rejects with an Error where the sound can't be read, and with
 * the signal's reason when aborted; no program is left running by then.
 */
export async function transcribeFinished(options: LateTranscriptOptions): Promise<MadeTranscript> {
	const { transcriber, durationSeconds, tools, logger, signal, maxSeconds } = options;
	const [source, directory] = [resolve(options.source), resolve(options.directory)];
	const programs = await openPrograms(tools, { logger, maxSeconds, signal });
	if (!(await hasSound(programs, source, signal))) return withoutSound();
	const wav = join(directory, "speech.wav");
	const args = [
		"-nostdin",
		"-v",
		"error",
		"-y",
		...guardedInput("mov", source),
		"-map",
		"0:a:0",
		"-af",
		speechFilters.join(","),
		...wavFormat,
		wav,
	];
	await programs.run("ffmpeg", args, { signal, reads: [source], writes: [directory] });
	return transcribeSpeech(async () => wav, {
		transcriber,
		durationSeconds,
		target: join(directory, "transcript.vtt"),
		logger,
		signal,
	});
}
