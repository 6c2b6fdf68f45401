import type { ChunkWorkers } from "./encode/chunk-workers.ts";
import type { EncodeProgress } from "./encode/encode-meter.ts";
import type { Transcriber } from "./transcript/transcriber.ts";
import type { TranscriptStatus } from "./transcript/transcript-status.ts";
import type { Codec, Logger, MediaJob, SourceProbe, Tools } from "./types.ts";

/** Lengths in seconds: that of an opening, and that of the shortest video with one. */
export type OpeningLength = { readonly seconds: number; readonly ofSeconds: number };

/** What `processVideo` needs: source, directory, job and tools. */
export type ProcessOptions = {
	/** Path of the source. */
	readonly source: string;
	/**
	 * Takes the outputs, and holds nothing else in the end. It is made if it is missing. After a failure the caller
	 * removes what is in it.
	 */
	readonly directory: string;
	readonly job: MediaJob;
	readonly tools: Tools;
	/** Called with integer percents that never fall, and with the encodes that have begun. */
	readonly onProgress?: (percent: number, encodes: readonly EncodeProgress[]) => void;
	/** Called once, before the source's length is judged and anything is encoded. */
	readonly onProbe?: (probe: SourceProbe) => void;
	readonly logger?: Logger;
	readonly signal?: AbortSignal;
	/** How many seconds each program may take before it is killed (default: 14,400). */
	readonly maxSeconds?: number;
	/** Writes down what is said if the job wants a transcript (default: none; the transcript is `unavailable`). */
	readonly transcriber?: Transcriber | undefined;
	/**
	 * Encodes the smallest rendition of H.264 ahead of the others, which get the cores that it leaves. Called with the
	 * files that can be played by then, which are proved and have playlists of their own: once, or twice for a long
	 * video, whose `opening` comes first. The second call has the files of the first one, too, and comes after the first
	 * one's promise settled. No file changes before the returned promise settles; afterwards only the playlists are
	 * written again. Those of the opening only grow, in the second call. Not called if the job has no H.264 to deliver,
	 * or only one rendition. Costs a little more work than one encode (docs/measurements/encoding.md).
	 */
	readonly onPlayable?: (playable: Playable) => void | Promise<void>;
	/**
	 * How long the opening is that `onPlayable` is called with first, and from which length on a video has one (default:
	 * 30 s of 60 s or more).
	 */
	readonly opening?: OpeningLength;
	/** How many cores of the machine this run may count on (default: all). */
	readonly cores?: number;
	/** Into how many chunks the source is cut (default: what `chunkCount` returns, which is 1 below sixteen cores). */
	readonly chunks?: number;
	/**
	 * Other workers that may encode chunks of this source (default: none). If some of them wait for work, and the source
	 * lasts 40 s or more and can be cut, this process shares it with them. Not used together with `onPlayable`, or if
	 * this machine encodes as many chunks at once by itself.
	 */
	readonly chunkWorkers?: ChunkWorkers | undefined;
};

/** A rendition as it was made. */
export type MadeRendition = {
	readonly name: string;
	readonly codec: Codec;
	readonly width: number;
	readonly height: number;
	/** Average bits per second. */
	readonly bitrate: number;
};

/** What can be played already, while the rest is encoded. */
export type Playable = {
	/** Paths relative to the directory, with forward slashes: those of the delivery plane. */
	readonly files: string[];
	readonly renditions: MadeRendition[];
};

/** What a job made: files, renditions, what is known of the media, and the report. */
export type Processed = Playable & {
	readonly media: { readonly duration_seconds: number; readonly width: number; readonly height: number };
	/** Only of a video. `language` is ISO 639-1; `null` if there is no transcript or its language isn't known. */
	readonly transcript?: { readonly status: TranscriptStatus; readonly language: string | null };
	readonly report: { [key: string]: unknown };
};
