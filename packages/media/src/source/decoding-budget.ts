import { MediaError } from "../errors.ts";
import type { MediaJob, SourceVideo } from "../types.ts";
import { maxPixels } from "./guarded-input.ts";

/** What ffmpeg may decode of one source. */
export type DecodingBounds = {
	/** Pixels of all pictures together. */
	readonly budget: number;
	/** Of one picture. */
	readonly pixels: number;
	/** Pictures. */
	readonly frames: number;
};

/** The measured length may exceed the limit by so much, and so may what is decoded. */
const slackSeconds = 1;
/** Decoders allocate whole blocks. */
const blockSide = 128;
/** Pictures that a decoder makes of a damaged stream beside those of its packets. */
const slackFrames = 60;

const billions = (pixels: number): string => `${(pixels / 1e9).toFixed(1)} billion`;
const wholeBlocks = (side: number): number => Math.ceil(side / blockSide) * blockSide;

/** The sentence for a source that is over its budget. */
const overBudget = (found: string, budget: number) =>
	new MediaError(
		"dimensions_too_large",
		`${found}. The budget is ${billions(budget)} pixels, decoded in all: a smaller picture, or fewer pictures, fit.`,
	);

/**
 * Bounds what is decoded. Packets are counted, so no header can lie about how many pictures there are; but a packet may
 * hold many, of any size. So ffmpeg is told how large a picture may be, and stopped when there are too many: together
 * they can't pass the budget by much. Null where the job sets none. Throws {@link MediaError} `dimensions_too_large`
 * where the packets alone are over it.
 */
export function boundDecoding(
	{ width, height, packets }: SourceVideo,
	limits: MediaJob["limits"],
): DecodingBounds | null {
	const { max_decoded_pixels: budget, max_duration_seconds: seconds } = limits;
	if (budget === undefined) return null;
	const found = width * height * packets;
	if (found > budget * ((seconds + slackSeconds) / seconds)) {
		throw overBudget(
			`The video is too much to decode: ${packets} pictures of ${width}x${height} are ${billions(found)} pixels`,
			budget,
		);
	}
	const pixels = Math.min(
		maxPixels,
		Math.max(wholeBlocks(width) * wholeBlocks(height), Math.floor(budget / (2 * packets))),
	);
	return { budget, pixels, frames: Math.max(Math.ceil(packets * 1.05) + slackFrames, Math.floor(budget / pixels)) };
}

/** For a source of which more pictures came than its packets are. */
export const tooManyFrames = ({ budget, frames }: DecodingBounds): MediaError =>
	overBudget(`The video is too much to decode: its packets hold more than ${frames} pictures`, budget);
