import type { EncodePlan } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import type { SourceProbe } from "../types.ts";

/**
 * A run of whole groups of pictures that is encoded on its own: frames from `first` up to `end`, which is not among
 * them.
 */
export type Chunk = { readonly first: number; readonly end: number };

/**
 * Cores that one ffmpeg keeps busy, as docs/guides/encoding.md works out: a second one beside it has nothing to do
 * before there are more.
 */
const coresOfOneProcess = 8;
/**
 * Each chunk begins with a full decoder's buffer, so that more of them could pass the caps that one encode keeps to.
 */
const shortestSeconds = 20;

/**
 * In how many chunks a source is best encoded at once on a machine of so many cores: 1 on most. Pure. Only of files
 * that are found into by an index, and whose frames are not made of each other's fields, does a chunk decode to the
 * very pictures of the whole.
 */
export const chunkCount = (source: SourceProbe, cores: number): number =>
	Math.min(Math.max(1, Math.floor(cores / coresOfOneProcess)), mostChunks(source));

/** In how many chunks a source can be cut at all: of 20 s or more on average. Pure. */
export function mostChunks({ container, video, durationSeconds }: SourceProbe): number {
	if ((container !== "mov" && container !== "matroska") || video.interlaced) return 1;
	return Math.max(1, Math.floor(durationSeconds / shortestSeconds));
}

/**
 * Of a single chunk, where `shortestSeconds` is what they all last on average: as many such in a row keep to the caps
 * as there can be beside longer ones.
 */
const shortestSecondsOfOne = 14;

/**
 * Cuts the plan's frames into at most so many chunks, between groups of pictures and so that they cost as evenly as can
 * be. Pure.
 * @param bytesBySecond The source's; without them chunks are equally long, to a group of pictures.
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
 * What each group of pictures costs to decode and encode, in thirds of an average one: two for its frames, and one for
 * its bytes in the source. So it is in docs/guides/encoding.md; a source of constant bit rate says nothing, and is cut
 * by length.
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
 * Where each of so many runs ends, of `least` or more each, when the sum of their costs' squares is least. There are
 * `count * least` costs or more.
 */
function evenRuns(costs: readonly number[], count: number, least: number): number[] {
	const sums = [0];
	for (const cost of costs) sums.push((sums.at(-1) as number) + cost);
	/** By where they end: the runs' squares so far, and where the last of them begins. */
	let squares = sums.map((sum) => sum ** 2);
	const begins: number[][] = [];
	for (let runs = 2; runs <= count; runs += 1) {
		const [next, begin]: [number[], number[]] = [[], []];
		for (let end = runs * least; end <= costs.length; end += 1) {
			next[end] = Number.POSITIVE_INFINITY;
			// The later the end, the later the last run begins; and what the others cost alone only grows.
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
