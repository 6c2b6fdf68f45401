import { createReadStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { evenSoundArguments } from "../encode/encode-arguments.ts";
import { ProgramError } from "../errors.ts";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { Programs } from "../run/programs.ts";
import type { Logger } from "../types.ts";
import { showableCues, webVtt } from "./captions.ts";
import type { Transcriber } from "./transcriber.ts";

/** The words are those of the contract's `transcript_status`; `disabled` where none is wanted. */
export type TranscriptStatus = "disabled" | "available" | "no_speech" | "unavailable" | "failed";

export type MadeTranscript = {
	readonly status: TranscriptStatus;
	/** ISO 639-1; null where there is no transcript or its language isn't known. */
	readonly language: string | null;
	readonly decisions: readonly Decision[];
};

export type TranscriptOptions = {
	readonly wanted: boolean;
	/** None: the status is `unavailable`. */
	readonly transcriber: Transcriber | undefined;
	readonly source: string;
	/** A folder of its own for the sound; made if missing. */
	readonly work: string;
	/** Where the WebVTT file goes. */
	readonly target: string;
	readonly logger?: Logger | undefined;
	readonly signal?: AbortSignal | undefined;
};

/** Sound as transcribers take it: 16,000 Hz, one channel, 16 bits, in a WAV file. */
export const speechFilters = ["aresample=16000", "aformat=sample_fmts=s16:channel_layouts=mono"];
export const wavFormat = ["-map_metadata", "-1", "-fflags", "+bitexact", "-c:a", "pcm_s16le", "-f", "wav"];

/** -60 dB of full scale in 16 bits: a recording of anything is louder. */
const silentPeak = 33;
const wavHeaderBytes = 44;

/**
 * The source's sound as a transcriber takes it, as long as the video and in step with it. Decoded apart first, since a
 * source may change its format midway.
 */
async function extractSpeech(
	programs: Programs,
	plan: EncodePlan,
	{ source, work, signal }: TranscriptOptions,
): Promise<string> {
	await mkdir(work, { recursive: true });
	const [even, wav] = [join(work, "even.mka"), join(work, "speech.wav")];
	await programs.run("ffmpeg", evenSoundArguments(plan, source, even), { signal, reads: [source], writes: [work] });
	const filters = [...(plan.sound?.filters ?? []), ...speechFilters].join(",");
	await programs.run(
		"ffmpeg",
		["-nostdin", "-v", "error", "-y", "-f", "matroska", "-i", even, "-af", filters, ...wavFormat, wav],
		{ signal, writes: [work] },
	);
	return wav;
}

/** Whether no sample is louder than noise; a model would make up words of it. */
async function isSilent(wav: string, signal: AbortSignal | undefined): Promise<boolean> {
	let odd = Buffer.alloc(0);
	for await (const chunk of createReadStream(wav, { start: wavHeaderBytes, signal }) as AsyncIterable<Buffer>) {
		const bytes = odd.length > 0 ? Buffer.concat([odd, chunk]) : chunk;
		const even = bytes.length - (bytes.length % 2);
		for (let at = 0; at < even; at += 2) if (Math.abs(bytes.readInt16LE(at)) >= silentPeak) return false;
		odd = Buffer.from(bytes.subarray(even));
	}
	return true;
}

/** For the video's owner; the operator's log has what the program said. */
function reasonOf(error: unknown): string {
	if (error instanceof ProgramError) return error.ending;
	return error instanceof Error ? error.message : String(error);
}

const none = (status: TranscriptStatus, because: string): MadeTranscript => ({
	...{ status, language: null },
	decisions: [{ about: "transcript", decision: status, because }],
});

export type SpeechOptions = Pick<TranscriptOptions, "target" | "logger" | "signal"> & {
	readonly transcriber: Transcriber;
	readonly durationSeconds: number;
};

/** Writes down what is said in a WAV file, as {@link makeTranscript} does of a source. `sound` gives the file. */
export async function transcribeSpeech(
	sound: () => Promise<string>,
	{ transcriber, durationSeconds, target, logger, signal }: SpeechOptions,
): Promise<MadeTranscript> {
	try {
		const wav = await sound();
		if (await isSilent(wav, signal)) return none("no_speech", "the sound is silence");
		const { cues, language, confidence } = await transcriber.transcribe(wav, {
			signal,
			maxSeconds: 600 + 10 * durationSeconds,
		});
		const shown = await showableCues(cues, durationSeconds);
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

/** A video without sound has no speech. */
export const withoutSound = (): MadeTranscript => none("no_speech", "there is no sound");

/**
 * Makes the transcript that a job wants, as a WebVTT file, or says why there is none: a transcript that fails is
 * `failed`, and the video goes on without it. Rejects with the signal's reason alone, when aborted; no program is left
 * running by then.
 */
export async function makeTranscript(
	programs: Programs,
	plan: EncodePlan,
	options: TranscriptOptions,
): Promise<MadeTranscript> {
	const { wanted, transcriber, target, logger, signal } = options;
	if (!wanted) return { status: "disabled", language: null, decisions: [] };
	if (transcriber === undefined) return none("unavailable", "the worker has no transcriber");
	if (plan.sound === null) return withoutSound();
	const { durationSeconds } = plan;
	return transcribeSpeech(() => extractSpeech(programs, plan, options), {
		transcriber,
		durationSeconds,
		target,
		logger,
		signal,
	});
}
