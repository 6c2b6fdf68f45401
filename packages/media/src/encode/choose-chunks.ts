import { availableParallelism } from "node:os";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { SourceProbe } from "../types.ts";
import type { ChunkWorkers } from "./chunk-workers.ts";
import { type Chunk, chunkCount, mostChunks, splitFrames } from "./chunks.ts";

/** How a source is cut, and the other workers that may encode chunks of it, if any. */
export type Cut = { readonly chunks: readonly Chunk[]; readonly workers?: ChunkWorkers | undefined };

export type CutOptions = {
	/** How many chunks (default: what `chunkCount` returns for the cores). */
	readonly chunks?: number | undefined;
	/** Cores that this run may count on (default: all of the machine). */
	readonly cores?: number | undefined;
	readonly chunkWorkers?: ChunkWorkers | undefined;
	/** Whether other workers are left out, since H.264 is encoded first. */
	readonly isAlone: boolean;
};

/** Decides into how many chunks a source is cut, where, and whether other workers take part. */
export function chooseChunks(
	{ chunks, cores, chunkWorkers, isAlone }: CutOptions,
	probed: SourceProbe,
	plan: EncodePlan,
): Cut {
	const cut = (count: number) => splitFrames(plan, count, probed.video.bytesBySecond);
	const here = chunkCount(probed, cores ?? availableParallelism());
	if (chunkWorkers === undefined || isAlone || chunkWorkers.count < 1) return { chunks: cut(chunks ?? here) };
	const across = chunks ?? Math.min(chunkWorkers.count + 1, mostChunks(probed));
	return across > 1 && (chunks !== undefined || across > here)
		? { chunks: cut(across), workers: chunkWorkers }
		: { chunks: cut(here) };
}
