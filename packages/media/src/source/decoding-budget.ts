import { MediaError } from "../errors.ts";
import type { MediaJob, Size, SourceVideo } from "../types.ts";
import { maxPixels } from "./guarded-input.ts";

/** How much ffmpeg may decode of one source. */
export type DecodingBounds = {
	/** The most pixels of all pictures together. */
	readonly budget: number;
	/** The most pixels of one picture. */
	readonly pixels: number;
	/** The most pictures. */
	readonly frames: number;
};

/** How much the measured length may exceed the limit. The decoded pixels may exceed the budget in proportion. */
const slackSeconds = 1;
/** Decoders allocate whole blocks of this many pixels on each side. */
const blockSide = 128;
/** How many more pictures than packets a decoder may make of a damaged stream. */
const slackFrames = 60;

const billions = (pixels: number): string => `${(pixels / 1e9).toFixed(1)} billion`;
const wholeBlocks = (side: number): number => Math.ceil(side / blockSide) * blockSide;

const pixelsOf = ({ width, height }: Size): number => width * height;

/** The error for a source that is over its budget. */
const overBudget = (found: string, budget: number) =>
	new MediaError(
		"dimensions_too_large",
		`${found}. The budget is ${billions(budget)} pixels, decoded in all: a smaller picture, or fewer pictures, fit.`,
	);

/**
 * Bounds how much is decoded of a source; returns `null` if the job sets no budget. The packets are counted, so no
 * header can lie about their number. But a packet may hold many pictures of any size: ffmpeg is told the largest
 * picture, and is stopped when there are too many. Together the pictures can't pass the budget by much.
 * @throws {MediaError} `dimensions_too_large` when the packets alone are over the budget
 */
export function boundDecoding(
	{ packets, shapes, ...shown }: SourceVideo,
	limits: MediaJob["limits"],
): DecodingBounds | null {
	const { max_decoded_pixels: budget, max_duration_seconds: seconds } = limits;
	if (budget === undefined) return null;
	// The picture that is shown needn't be the largest: a few may be larger.
	const { width, height } = (shapes ?? []).reduce<Size>(
		(largest, shape) => (pixelsOf(shape) > pixelsOf(largest) ? shape : largest),
		shown,
	);
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

/** The error for a source whose packets hold too many pictures. */
export const tooManyFrames = ({ budget, frames }: DecodingBounds): MediaError =>
	overBudget(`The video is too much to decode: its packets hold more than ${frames} pictures`, budget);
