import type { EncodePlan } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import type { SourceProbe } from "../types.ts";

/** Whole groups of pictures that are encoded by themselves: the frames from `first` to `end`, without `end`. */
export type Chunk = { readonly first: number; readonly end: number };

/**
 * Returns the chunk of an index.
 * @throws {RangeError} when there is none
 */
export function chunkOf(chunks: readonly Chunk[], index: number): Chunk {
	const chunk = chunks[index];
	if (chunk === undefined) throw new RangeError(`There is no chunk ${index}.`);
	return chunk;
}

/** How many cores one ffmpeg keeps busy. docs/measurements/encoding.md shows the measurement. */
const coresOfOneProcess = 8;
/**
 * The shortest average length of chunks. Each chunk begins with a full decoder's buffer: shorter chunks could together
 * pass the cap that one encode keeps to.
 */
const shortestSeconds = 20;

/**
 * Returns in how many chunks a source is best encoded at once on a machine with this many cores. The result is 1 below
 * sixteen cores, for a source shorter than 40 s, for an interlaced source, and for a container without an index (only
 * with an index does a chunk decode to the very pictures of the whole).
 * @example
 * ```ts
 * import { chunkCount, probe } from "@reelmill/media";
 *
 * const source = await probe("clip.mp4", { ffmpeg: "ffmpeg", ffprobe: "ffprobe" });
 * console.log(chunkCount({ ...source, durationSeconds: 600 }, 32)); // => 4
 * console.log(chunkCount({ ...source, durationSeconds: 600 }, 8)); // => 1
 * ```
 */
export const chunkCount = (source: SourceProbe, cores: number): number =>
	Math.min(Math.max(1, Math.floor(cores / coresOfOneProcess)), mostChunks(source));

/** Returns the most chunks that a source can be cut into: they last 20 s or more on average. */
export const mostChunks = (source: SourceProbe): number =>
	canBeCut(source) ? Math.max(1, Math.floor(source.durationSeconds / shortestSeconds)) : 1;

/** Says whether chunks of a source decode to the very pictures of the whole. */
export const canBeCut = ({ container, video }: SourceProbe): boolean =>
	(container === "mov" || container === "matroska") && !video.interlaced && video.colourRuns === undefined;

/**
 * The shortest length of a single chunk; `shortestSeconds` is the average of all. As many chunks of this length as can
 * follow one another keep to the caps.
 */
const shortestSecondsOfOne = 14;

/** Cuts `chunks` anew, so that the first one is `opening`. The one after it is no shorter than a chunk may be. */
export function cutAfter(opening: Chunk, chunks: readonly Chunk[], { frames, frameRate }: CutPlan): Chunk[] {
	const least = opening.end + shortestSecondsOfOne * perSecond(frameRate);
	const starts = [opening.end, ...chunks.map(({ first }) => first).filter((first) => first >= least)];
	return [opening, ...starts.map((first, n) => ({ first, end: starts[n + 1] ?? frames }))];
}

/**
 * Cuts the plan's frames between groups of pictures into at most `count` chunks of costs as even as possible.
 * @param bytesBySecond the source's bytes. Without them the chunks are equally long, to a group of pictures.
 */
export function splitFrames(plan: CutPlan, count: number, bytesBySecond: BytesBySecond = []): Chunk[] {
	const { frames, gop, frameRate } = plan;
	const costs = groupCosts(plan, bytesBySecond);
	const runs = Math.max(1, Math.min(count, costs.length));
	const least = Math.min(
		Math.round((shortestSecondsOfOne * perSecond(frameRate)) / gop),
		Math.floor(costs.length / runs),
	);
	const ends = evenRuns(costs, runs, least).map((end) => Math.min(frames, end * gop));
	return ends.map((end, n) => ({ first: ends[n - 1] ?? 0, end }));
}

type CutPlan = Pick<EncodePlan, "frames" | "gop" | "frameRate">;
type BytesBySecond = SourceProbe["video"]["bytesBySecond"];

/**
 * Estimates what each group of pictures costs to decode and encode. Of an average group, two thirds are for its frames
 * and one third is for its bytes in the source (measured: docs/measurements/encoding.md). A source of constant bit rate
 * is thus cut by length.
 */
function groupCosts({ frames, gop, frameRate }: CutPlan, bytesBySecond: BytesBySecond): number[] {
	const costs = Array.from(
		{ length: Math.ceil(frames / gop) },
		(_, group) => (2 * Math.min(gop, frames - group * gop)) / gop,
	);
	const total = bytesBySecond.reduce((sum, [, bytes]) => sum + bytes, 0);
	for (const [second, bytes] of bytesBySecond) {
		const group = Math.floor(((second + 0.5) * perSecond(frameRate)) / gop);
		const nearest = Math.max(0, Math.min(group, costs.length - 1));
		costs[nearest] = (costs[nearest] as number) + (bytes / Math.max(1, total)) * (frames / gop);
	}
	return costs;
}

/**
 * Divides the costs into `count` runs of `least` or more each, so that the sum of the squares of the runs' costs is
 * smallest. Returns where each run ends. There must be at least `count * least` costs.
 */
function evenRuns(costs: readonly number[], count: number, least: number): number[] {
	const sums = [0];
	for (const cost of costs) sums.push((sums.at(-1) as number) + cost);
	/** By where the runs end: the smallest sum of squares so far. `begins` has where the last run then begins. */
	let squares = sums.map((sum) => sum ** 2);
	const begins: number[][] = [];
	for (let runs = 2; runs <= count; runs += 1) {
		const [next, begin]: [number[], number[]] = [[], []];
		for (let end = runs * least; end <= costs.length; end += 1) {
			next[end] = Number.POSITIVE_INFINITY;
			// The last run never begins earlier if it ends later, and the cost of the runs before it only grows.
			for (
				let from = begin[end - 1] ?? (runs - 1) * least;
				from <= end - least && (squares[from] as number) < (next[end] as number);
				from += 1
			) {
				const square = (squares[from] as number) + ((sums[end] as number) - (sums[from] as number)) ** 2;
				if (square < (next[end] as number)) [next[end], begin[end]] = [square, from];
			}
		}
		squares = next;
		begins.push(begin);
	}
	const ends = [costs.length];
	for (const begin of begins.reverse()) ends.unshift(begin[ends[0] as number] as number);
	return ends;
}
