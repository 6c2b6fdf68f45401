import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { evenSoundArguments } from "../encode/encode-arguments.ts";
import { workFolder } from "../encode/open-encode.ts";
import { ProgramError } from "../errors.ts";
import type { Decision } from "../plan/decision.ts";
import type { Logger } from "../types.ts";
import { showableCues, webVtt } from "./captions.ts";
import { quietStretches } from "./quiet.ts";
import type { Transcriber } from "./transcriber.ts";
import type { TranscriptStatus } from "./transcript-status.ts";

/** A transcript that was made, and its language. */
export type MadeTranscript = {
	readonly status: TranscriptStatus;
	/** ISO 639-1; `null` if there is no transcript or its language isn't known. */
	readonly language: string | null;
	readonly decisions: readonly Decision[];
};

/** The sound that transcribers take: 16,000 Hz, one channel, 16 bits, in a WAV file. */
export const speechFilters = ["aresample=16000", "aformat=sample_fmts=s16:channel_layouts=mono"];
export const wavFormat = ["-map_metadata", "-1", "-fflags", "+bitexact", "-c:a", "pcm_s16le", "-f", "wav"];

/**
 * Writes the source's sound for a transcriber: as long as the video, and in step with it. The sound is decoded to one
 * format first, since a source may change its format midway.
 */
async function extractSpeech({ programs, plan, source, directory, signal }: Encode): Promise<string> {
	const work = join(workFolder(directory), "speech");
	await mkdir(work, { recursive: true });
	const [even, wav] = [join(work, "even.mka"), join(work, "speech.wav")];
	await programs.run("ffmpeg", evenSoundArguments({ ...plan, sounds: plan.sounds.slice(0, 1) }, source, even), {
		signal,
		reads: [source],
		writes: [work],
	});
	const filters = [...(plan.sounds[0]?.filters ?? []), ...speechFilters].join(",");
	const args = ["-nostdin", "-v", "error", "-y", "-f", "matroska", "-i", even, "-af", filters, ...wavFormat, wav];
	await programs.run("ffmpeg", args, { signal, writes: [work] });
	return wav;
}

/** Returns the reason that the video's owner may see. What the program said is in the operator's log alone. */
function reasonOf(error: unknown): string {
	if (error instanceof ProgramError) return error.ending;
	return error instanceof Error ? error.message : String(error);
}

const none = (status: TranscriptStatus, because: string): MadeTranscript => ({
	...{ status, language: null },
	decisions: [{ about: "transcript", decision: status, because }],
});

export type SpeechOptions = {
	readonly transcriber: Transcriber;
	readonly durationSeconds: number;
	/** Path of the WebVTT file to write. */
	readonly target: string;
	readonly logger?: Logger | undefined;
	readonly signal?: AbortSignal | undefined;
};

/** Transcribes the WAV file that `sound` makes, and rejects only as {@link makeTranscript} does. */
export async function transcribeSpeech(
	sound: () => Promise<string>,
	{ transcriber, durationSeconds, target, logger, signal }: SpeechOptions,
): Promise<MadeTranscript> {
	try {
		const wav = await sound();
		const quiet = await quietStretches(wav, signal);
		if (quiet === null) return none("no_speech", "the sound is silence");
		const { cues, language, confidence } = await transcriber.transcribe(wav, {
			signal,
			maxSeconds: 600 + 10 * durationSeconds,
		});
		const shown = await showableCues(cues, durationSeconds, quiet);
		if (shown.length === 0) return none("no_speech", `${transcriber.name} heard no words`);
		await writeFile(target, webVtt(shown));
		const sure = confidence === null ? "" : `, confidence ${confidence.toFixed(2)}`;
		return {
			status: "available",
			language,
			decisions: [{ about: "transcript", decision: "made", because: `${transcriber.name} heard words${sure}` }],
		};
	} catch (error) {
		signal?.throwIfAborted();
		logger?.warn({ err: error, transcriber: transcriber.name }, "the transcript failed; the video goes on without it");
		return none("failed", reasonOf(error).slice(0, 500));
	}
}

/** The transcript of a video without sound. */
export const withoutSound = (): MadeTranscript => none("no_speech", "there is no sound");

export type TranscriptOptions = {
	readonly wanted: boolean;
	/** If there is none, the status is `unavailable`. */
	readonly transcriber: Transcriber | undefined;
};

/**
 * Makes the transcript that a job wants as `transcript.vtt`, or says why there is none. A transcript that fails is
 * `failed` and doesn't fail the video. No program is left running when the promise settles.
 * @throws the signal's reason when aborted, and nothing else
 */
export async function makeTranscript(
	encode: Encode,
	{ wanted, transcriber }: TranscriptOptions,
): Promise<MadeTranscript> {
	const { plan, directory, logger, signal } = encode;
	if (!wanted) return { status: "disabled", language: null, decisions: [] };
	if (transcriber === undefined) return none("unavailable", "the worker has no transcriber");
	if (plan.sounds.length === 0) return withoutSound();
	return transcribeSpeech(() => extractSpeech(encode), {
		transcriber,
		durationSeconds: plan.durationSeconds,
		target: join(directory, "transcript.vtt"),
		logger,
		signal,
	});
}
