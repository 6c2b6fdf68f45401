import { availableParallelism } from "node:os";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { SourceProbe } from "../types.ts";
import type { ChunkWorkers } from "./chunk-workers.ts";
import { type Chunk, chunkCount, mostChunks, splitFrames } from "./chunks.ts";

/** How a source is cut, and the other workers that may encode chunks of it, if any. */
export type Cut = {
	readonly chunks: readonly Chunk[];
	readonly workers?: ChunkWorkers | undefined;
	/** How many of the first chunks are encoded and proved already (default: 0). Only without `workers`. */
	readonly encoded?: number | undefined;
};

export type CutOptions = {
	/** How many chunks (default: what `chunkCount` returns for the cores). */
	readonly chunks?: number | undefined;
	/** Cores that this run may count on (default: all of the machine). */
	readonly cores?: number | undefined;
	readonly chunkWorkers?: ChunkWorkers | undefined;
	/** Whether other workers are left out, since H.264 is encoded first. Chunks that are kept come before that. */
	readonly isAlone: boolean;
	/** Whether hardware encodes: then the source is not cut, unless it must be. */
	readonly byHardware: boolean;
};

/** Into how many chunks a source is cut of which an interrupted process should lose little. */
const keptChunks = 8;

/** Decides into how many chunks a source is cut, where, and whether other workers take part. */
export function chooseChunks(
	{ chunks, cores, chunkWorkers, isAlone, byHardware }: CutOptions,
	probed: SourceProbe,
	plan: EncodePlan,
): Cut {
	const cut = (count: number) => splitFrames(plan, count, probed.video.bytesBySecond);
	const here = chunkCount(probed, cores ?? availableParallelism());
	const { count = 0, keepsChunks = false } = chunkWorkers ?? {};
	if (byHardware && chunks === undefined && !keepsChunks) return { chunks: cut(1) };
	if (count < 1 && !keepsChunks) return { chunks: cut(chunks ?? here) };
	if (isAlone && !keepsChunks) return { chunks: cut(chunks ?? here) };
	// Where chunks are encoded at once, all of them end at about the same time: there would be none to keep.
	const wanted = Math.max(count + 1, keepsChunks && here === 1 ? keptChunks : 1);
	const across = chunks ?? Math.min(wanted, mostChunks(probed));
	return across > 1 && (chunks !== undefined || across > here)
		? { chunks: cut(across), workers: chunkWorkers }
		: { chunks: cut(here) };
}
