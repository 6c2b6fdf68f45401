import { createReadStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { evenSoundArguments } from "../encode/encode-arguments.ts";
import { workFolder } from "../encode/open-encode.ts";
import { ProgramError } from "../errors.ts";
import type { Decision } from "../plan/decision.ts";
import type { Logger } from "../types.ts";
import { showableCues, webVtt } from "./captions.ts";
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

/** -60 dB of full scale in 16 bits. A recording of anything is louder. */
const silentPeak = 33;
const wavHeaderBytes = 44;

/**
 * Writes the source's sound for a transcriber: as long as the video, and in step with it. The sound is decoded to one
 * format first, since a source may change its format midway.
 */
async function extractSpeech({ programs, plan, source, directory, signal }: Encode): Promise<string> {
	const work = join(workFolder(directory), "speech");
	await mkdir(work, { recursive: true });
	const [even, wav] = [join(work, "even.mka"), join(work, "speech.wav")];
	await programs.run("ffmpeg", evenSoundArguments(plan, source, even), { signal, reads: [source], writes: [work] });
	const filters = [...(plan.sound?.filters ?? []), ...speechFilters].join(",");
	const args = ["-nostdin", "-v", "error", "-y", "-f", "matroska", "-i", even, "-af", filters, ...wavFormat, wav];
	await programs.run("ffmpeg", args, { signal, writes: [work] });
	return wav;
}

/** Says whether no sample is louder than noise. A model would make up words for it. */
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
	if (plan.sound === null) return withoutSound();
	return transcribeSpeech(() => extractSpeech(encode), {
		transcriber,
		durationSeconds: plan.durationSeconds,
		target: join(directory, "transcript.vtt"),
		logger,
		signal,
	});
}
