import type { Chunk } from "./chunks.ts";

/**
 * Other workers, which may encode chunks of a source at the same time. Whatever of it rejects, the source is then
 * encoded here.
 */
export type ChunkWorkers = {
	/** How many wait for work; no more are counted on. */
	readonly count: number;
	/**
	 * Offers chunks to them, with a sum of all that ffmpeg is to be told: who would tell it otherwise must not encode
	 * them. Called at most once.
	 * @param digest See `encodeChunk`.
	 */
	offer(chunks: readonly Chunk[], digest: string, signal: AbortSignal): Promise<OfferedChunks>;
};

export type OfferedChunks = {
	/**
	 * How they stand, in the order of the offer. With `take`, one that nobody encodes becomes this process's own for
	 * good, and `taken` is its index.
	 */
	look(
		take: boolean,
		signal: AbortSignal,
	): Promise<{
		readonly taken: number | null;
		readonly chunks: readonly { readonly isDone: boolean; readonly share: number }[];
	}>;
	/**
	 * Brings the files of one that is done to `path`, by their names in `encodeChunk`. Rejects where they are not the
	 * very bytes that were proved.
	 */
	fetch(index: number, path: (file: string) => string, signal: AbortSignal): Promise<void>;
	/** Some time before the next look. Never rejects. */
	pause(signal: AbortSignal): Promise<void>;
};
