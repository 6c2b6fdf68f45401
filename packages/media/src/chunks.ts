import type { EncodePlan } from "./plan.ts";
import type { SourceProbe } from "./types.ts";

/** A run of whole groups of pictures that is encoded on its own: frames from `first` up to `end`, which is not among them. */
export type Chunk = { readonly first: number; readonly end: number };

/** Cores that one ffmpeg keeps busy, as docs/guides/encoding.md works out: a second one beside it has nothing to do before there are more. */
const coresOfOneProcess = 8;
/** Each chunk begins with a full decoder's buffer, so that more of them could pass the caps that one encode keeps to. */
const shortestSeconds = 20;

/**
 * In how many chunks a source is best encoded at once on a machine of so many cores: 1 on most. Pure. Only of files that are found into by an index, and whose
 * frames are not made of each other's fields, does a chunk decode to the very pictures of the whole.
 */
export const chunkCount = (source: SourceProbe, cores: number): number => Math.min(Math.max(1, Math.floor(cores / coresOfOneProcess)), mostChunks(source));

/** In how many chunks a source can be cut at all: each of 20 s or more. Pure. */
export function mostChunks({ container, video, durationSeconds }: SourceProbe): number {
	if ((container !== "mov" && container !== "matroska") || video.interlaced) return 1;
	return Math.max(1, Math.floor(durationSeconds / shortestSeconds));
}

/** Cuts the plan's frames into at most so many chunks, equal to a group of pictures. Pure. */
export function splitFrames({ frames, gop }: Pick<EncodePlan, "frames" | "gop">, count: number): Chunk[] {
	const groups = Math.ceil(frames / gop);
	const pieces = Math.max(1, Math.min(count, groups));
	const cuts = Array.from({ length: pieces + 1 }, (_, n) => Math.min(frames, Math.round((n * groups) / pieces) * gop));
	return cuts.slice(1).map((end, n) => ({ first: cuts[n] as number, end }));
}
