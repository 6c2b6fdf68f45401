import { join, resolve } from "node:path";
import { openPrograms, type Run } from "../run/programs.ts";
import { guardedInput } from "../source/guarded-input.ts";
import type { Logger, Tools } from "../types.ts";
import { type MadeTranscript, speechFilters, transcribeSpeech, wavFormat, withoutSound } from "./make-transcript.ts";
import type { Transcriber } from "./transcriber.ts";

/** What is needed to make a transcript of outputs that are finished. */
export type LateTranscriptOptions = {
	/** A finished MP4 file with the video's sound, as `processVideo` made it. */
	readonly source: string;
	/** An existing folder that takes `transcript.vtt`. */
	readonly directory: string;
	/** The length of the video. Cues after its end are left out. */
	readonly durationSeconds: number;
	readonly transcriber: Transcriber;
	readonly tools: Tools;
	readonly logger?: Logger;
	readonly signal?: AbortSignal;
	/** How many seconds each program may take before it is killed (default: 14,400). */
	readonly maxSeconds?: number;
};

async function hasSound({ programs, signal }: Run, source: string): Promise<boolean> {
	const query = ["-select_streams", "a", "-show_entries", "stream=index", "-of", "csv=p=0"];
	const args = ["-v", "error", ...guardedInput("mov", source), ...query];
	return (await programs.run("ffprobe", args, { signal, reads: [source] })).stdout.length > 0;
}

/**
 * Makes the transcript of a finished video as `transcript.vtt`, or says why there is none: `no_speech`, or `failed` if
 * the transcriber fails. Calling it twice writes the file again. No program is left running when the promise settles.
 * @throws {Error} when the sound can't be read
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import { transcribeFinished } from "@reelmill/media";
 *
 * const { status, language } = await transcribeFinished({
 * 	source: "clip.mp4",
 * 	directory: ".",
 * 	durationSeconds: 7.6,
 * 	transcriber: {
 * 		name: "example",
 * 		transcribe: async () => ({
 * 			cues: [{ startSeconds: 0, endSeconds: 1.5, text: "Good morning" }],
 * 			language: "en",
 * 			confidence: null,
 * 		}),
 * 	},
 * 	tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
 * });
 * console.log(status, language); // => available en
 * ```
 */
export async function transcribeFinished(options: LateTranscriptOptions): Promise<MadeTranscript> {
	const { transcriber, durationSeconds, tools, logger, signal, maxSeconds } = options;
	const [source, directory] = [resolve(options.source), resolve(options.directory)];
	const programs = await openPrograms(tools, { logger, maxSeconds, signal });
	if (!(await hasSound({ programs, signal }, source))) return withoutSound();
	const wav = join(directory, "speech.wav");
	const args = [
		// The samples that the encoder put in front have times below zero.
		...["-nostdin", "-v", "error", "-y", "-copyts", ...guardedInput("mov", source)],
		...["-map", "0:a:0", "-af", ["atrim=start=0", ...speechFilters].join(","), ...wavFormat, wav],
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
