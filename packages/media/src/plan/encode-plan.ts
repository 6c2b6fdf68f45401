import type { DecodingBounds } from "../source/decoding-budget.ts";
import type { Codec, Container, OutputSelection, Rational, Size } from "../types.ts";
import type { Decision } from "./decision.ts";
import type { Channels } from "./ladder.ts";
import type { Watermark } from "./watermark.ts";

/** One rendition that is to be encoded: its size in pixels, codec and quality. */
export type PlannedRendition = Size & {
	readonly name: string;
	readonly codec: Codec;
	readonly preset: string;
	readonly crf: number;
	readonly maxBitrate: number;
	/** Set if SVT-AV1 uses its tools for screens. */
	readonly screenTools?: true;
	/** Whether the track is delivered. If not, it is only encoded for web.mp4 or the thumbnail. */
	readonly delivered: boolean;
};

/** One sound that is to be encoded, of one track of the source. */
export type PlannedSound = {
	/** `audio` is the sound that plays by default, and the one of web.mp4. */
	readonly name: string;
	/** The index of the source's stream. */
	readonly index: number;
	readonly channels: Channels;
	/** Bits per second. */
	readonly bitrate: number;
	/** The shortest tag of RFC 5646; `null` if it isn't known. */
	readonly language: string | null;
	/** What the source calls it; `null` for nothing. */
	readonly title: string | null;
	readonly filters: readonly string[];
	/**
	 * Whether an edit list hides the samples that the encoder puts in front. Without it they take the place of what the
	 * filters cut.
	 */
	readonly hidesPriming: boolean;
};

/** What became of a track of sound of the source. */
export type SoundTrackReport = {
	/** The index of the source's stream. */
	readonly index: number;
	readonly codec: string;
	readonly channels: number;
	readonly language: string | null;
	readonly title: string | null;
	/** The names of the sounds that were made of it: none if it was left out. */
	readonly outputs: readonly string[];
};

/** Everything that ffmpeg is told. Nothing in it depends on the machine or the moment. */
export type EncodePlan = {
	readonly container: Container;
	/**
	 * The index of a stream that every process reads, also one that makes nothing of it: all of them then count time from
	 * the same moment; `null` if they do so anyway.
	 */
	readonly anchor: number | null;
	/** How many seconds every output lasts. */
	readonly durationSeconds: number;
	readonly frameRate: Rational;
	/** How many frames every rendition has. */
	readonly frames: number;
	/** Frames from one key frame to the next: two seconds, the same in every rendition. */
	readonly gop: number;
	/** With `unturned` the picture is shown as it is stored, whatever rotation the source asks for. */
	readonly picture: {
		readonly index: number;
		readonly unturned?: true;
		/** See `SourceVideo`. */
		readonly decoder?: string;
		readonly filters: readonly string[];
		readonly size: Size;
	};
	/** How much may be decoded, whatever the packets hold; `null` if the job sets no bound. */
	readonly decoding: DecodingBounds | null;
	/** A mark over the picture of every rendition; `null` for none. */
	readonly watermark: Watermark | null;
	/** The first one plays by default, and is the one of web.mp4. None if there is no sound. */
	readonly sounds: readonly PlannedSound[];
	readonly renditions: readonly PlannedRendition[];
	readonly outputs: OutputSelection;
	/** Whether a storyboard is made: always if there is something to play. */
	readonly storyboard: boolean;
	readonly moderationFrames: boolean;
	readonly report: {
		readonly source: Record<string, string | number | boolean | null>;
		/** Every track of sound of the source that can be decoded. */
		readonly sound_tracks: readonly SoundTrackReport[];
		readonly decisions: readonly Decision[];
	};
};
