import type { Encode } from "../encode/encode.ts";
import { type CaptionTrack, heardTrack } from "../package/caption-track.ts";
import type { Decision } from "../plan/decision.ts";
import { earlierBy } from "../plan/frame-rate.ts";
import type { MeasuredSteps } from "../run/measure-steps.ts";
import type { SourceProbe } from "../types.ts";
import { makeTranscript, type TranscriptOptions } from "./make-transcript.ts";
import { readSourceCaptions, type TextTrackReport } from "./source-captions.ts";
import { languageCode } from "./transcriber.ts";
import type { TranscriptStatus } from "./transcript-status.ts";
import { writeChapters } from "./write-chapters.ts";

/** A video's words: its transcript, captions and chapters. */
export type FoundWords = {
	/** `language` is ISO 639-1; `null` if there is no transcript or its language isn't known. */
	readonly transcript: { readonly status: TranscriptStatus; readonly language: string | null };
	readonly captions: readonly CaptionTrack[];
	/** Paths of other files that were written. */
	readonly files: readonly string[];
	readonly report: readonly TextTrackReport[];
	readonly decisions: readonly Decision[];
};

/**
 * Finds a video's words. What the source brings along is exact and costs next to nothing, so it is kept whether the job
 * wants a transcript or not, and a transcriber is asked only if there is nothing.
 * @throws as {@link readSourceCaptions} and {@link makeTranscript} do
 */
export async function findWords(
	encode: Encode,
	{ chapters = [], ...probed }: SourceProbe,
	{ wanted, transcriber, measure }: TranscriptOptions & Pick<MeasuredSteps, "measure">,
): Promise<FoundWords> {
	const { plan, directory } = encode;
	const { hls, dash, mp4_fallback } = plan.outputs;
	const isPlayed = hls || dash || mp4_fallback;
	const times = { zeroSeconds: earlierBy(plan.frameRate, probed.video), durationSeconds: plan.durationSeconds };
	const files = isPlayed && chapters.length > 0 ? await writeChapters(directory, chapters, times) : [];
	const own = await readSourceCaptions(encode, probed);
	const [first] = own.tracks;
	if (first !== undefined && !first.isForced) {
		const transcript = { status: "available", language: languageCode(first.language) } as const;
		return { transcript, captions: own.tracks, files, report: own.report, decisions: own.decisions };
	}
	const make = () => makeTranscript(encode, { wanted, transcriber });
	const { status, language, decisions } = await (wanted ? measure("transcribe", make) : make());
	return {
		transcript: { status, language },
		captions: [...(status === "available" ? [heardTrack(language)] : []), ...own.tracks],
		files,
		report: own.report,
		decisions: [...own.decisions, ...decisions],
	};
}
