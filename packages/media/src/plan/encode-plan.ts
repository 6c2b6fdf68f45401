import type { DecodingBounds } from "../source/decoding-budget.ts";
import type { Codec, Container, OutputSelection, Rational, Size } from "../types.ts";
import type { Decision } from "./decision.ts";
import type { Watermark } from "./watermark.ts";

export type PlannedRendition = Size & {
	readonly name: string;
	readonly codec: Codec;
	readonly preset: string;
	readonly crf: number;
	readonly maxBitrate: number;
	/** Its track is delivered. False for an encode that only feeds web.mp4 or the thumbnail. */
	readonly delivered: boolean;
};

/** Everything that ffmpeg is told, and nothing that depends on the machine or the moment. */
export type EncodePlan = {
	readonly container: Container;
	/** Seconds that every output lasts. */
	readonly durationSeconds: number;
	readonly frameRate: Rational;
	/** Frames that every rendition has. */
	readonly frames: number;
	/** Frames from one key frame to the next: two seconds, the same in every rendition. */
	readonly gop: number;
	/** `unturned`: shown as it is stored, whatever the source asks for. */
	readonly picture: {
		readonly index: number;
		readonly unturned?: true;
		readonly filters: readonly string[];
		readonly size: Size;
	};
	/** What may be decoded, whatever the packets turn out to hold; null where the job sets no bound. */
	readonly decoding: DecodingBounds | null;
	/** Drawn over the picture before it is split into renditions. */
	readonly watermark: Watermark | null;
	readonly sound: { readonly index: number; readonly filters: readonly string[] } | null;
	readonly renditions: readonly PlannedRendition[];
	readonly outputs: OutputSelection;
	/** Made wherever there is something to play. */
	readonly storyboard: boolean;
	readonly moderationFrames: boolean;
	readonly report: {
		readonly source: Record<string, string | number | boolean | null>;
		readonly decisions: readonly Decision[];
	};
};
