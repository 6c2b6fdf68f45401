import type { DecodingBounds } from "../source/decoding-budget.ts";
import type { Codec, Container, OutputSelection, Rational, Size } from "../types.ts";
import type { Decision } from "./decision.ts";
import type { Watermark } from "./watermark.ts";

/** One rendition that is to be encoded: its size in pixels, codec and quality. */
export type PlannedRendition = Size & {
	readonly name: string;
	readonly codec: Codec;
	readonly preset: string;
	readonly crf: number;
	readonly maxBitrate: number;
	/** Whether the track is delivered. If not, it is only encoded for web.mp4 or the thumbnail. */
	readonly delivered: boolean;
};

/** Everything that ffmpeg is told. Nothing in it depends on the machine or the moment. */
export type EncodePlan = {
	readonly container: Container;
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
		readonly filters: readonly string[];
		readonly size: Size;
	};
	/** How much may be decoded, whatever the packets hold; `null` if the job sets no bound. */
	readonly decoding: DecodingBounds | null;
	/** A mark over the picture of every rendition; `null` for none. */
	readonly watermark: Watermark | null;
	readonly sound: { readonly index: number; readonly filters: readonly string[] } | null;
	readonly renditions: readonly PlannedRendition[];
	readonly outputs: OutputSelection;
	/** Whether a storyboard is made: always if there is something to play. */
	readonly storyboard: boolean;
	readonly moderationFrames: boolean;
	readonly report: {
		readonly source: Record<string, string | number | boolean | null>;
		readonly decisions: readonly Decision[];
	};
};
