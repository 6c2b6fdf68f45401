import { fastestOutput, namedRate, perSecond } from "../source/named-rates.ts";
import type { Rational, SourceVideo } from "../types.ts";

export { perSecond } from "../source/named-rates.ts";

/** The fewest frames a second of any output. A slower source shows each picture for several of them. */
const slowestOutput = 10;
/**
 * How inexactly a rate is measured in a short clip whose container counts milliseconds. 29.97 and 30 are further apart.
 */
const uncertainty = 0.0005;

/** How far from a frame a picture is taken for aligned, in seconds: many containers count milliseconds. */
const alignedSeconds = 0.001;

function greatestDivisor(one: number, other: number): number {
	return other === 0 ? one : greatestDivisor(other, one % other);
}

/**
 * Returns how many pictures a second show a source's motion. The two fields of an interlaced frame were taken one after
 * the other, so each becomes a picture. Above 30 frames a second the packets hold single fields already.
 */
export const picturesPerSecond = ({ interlaced, motionRate }: SourceVideo): number =>
	interlaced && 2 * motionRate <= fastestOutput ? 2 * motionRate : motionRate;

/** Returns which pictures of a motion stay: 1 for all of them, 2 for every second one, and so on. */
const keptEvery = (motion: number): number => Math.max(1, Math.ceil(motion / fastestOutput));

/**
 * Returns the share of a frame of the output by which pictures may be late and still be shown in that frame. It is less
 * than half if not all pictures stay: a clock that is a little off must not choose now one, now another.
 */
export const latestShare = (motion: number): number => 1 / (2 * keptEvery(motion));

/**
 * Returns the constant rate that shows a motion evenly: its own, if that is from 10 to 60 frames a second. Of a faster
 * one only every second, third or further picture stays; of a slower one each picture stands for equally many frames,
 * down to one a second. A rate next to a usual one becomes that one; others are exact to a thousandth.
 */
export function constantFrameRate(motion: number): Rational {
	const divisor = keptEvery(motion);
	const multiple = motion < 1 ? slowestOutput / motion : Math.ceil((slowestOutput * (1 - uncertainty)) / motion);
	const rate = (motion / divisor) * multiple;
	const usual = namedRate(rate, uncertainty);
	if (usual !== null) return usual;
	const numerator = Math.round(rate * 1000);
	const divided = greatestDivisor(numerator, 1000);
	return { numerator: numerator / divided, denominator: 1000 / divided };
}

/**
 * Returns by how much picture and sound are shown earlier, in seconds, so that the first picture begins with a frame of
 * the output: less than one frame. The sound of that time is left out. It is 0 if they begin together.
 */
export function earlierBy(rate: Rational, { startSeconds }: SourceVideo): number {
	const frames = Math.max(0, startSeconds) * perSecond(rate);
	const isAligned = Math.abs(frames - Math.round(frames)) <= alignedSeconds * perSecond(rate);
	return isAligned ? 0 : (frames - Math.floor(frames)) / perSecond(rate);
}

/** Returns by how much a rate raises the most bits a second of a rendition: half as much again above 30 frames. */
export const bitrateFactor = (framesPerSecond: number): number => (framesPerSecond > 31 ? 1.5 : 1);
