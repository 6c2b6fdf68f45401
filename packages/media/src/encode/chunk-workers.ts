import type { Chunk } from "./chunks.ts";
import type { EncodedChunk } from "./encode-chunk.ts";

/**
 * Other workers that may encode chunks of a source at the same time. If a function of theirs rejects, this process
 * encodes the source alone.
 */
export type ChunkWorkers = {
	/** How many workers wait for work. The source is cut for no more than these, unless `keepsChunks`. */
	readonly count: number;
	/**
	 * Whether the source is cut also if nobody waits, because finished chunks are kept for another process in case this
	 * one is interrupted (default: false).
	 */
	readonly keepsChunks?: boolean;
	/**
	 * Offers chunks to the workers. Called at most once.
	 * @param digest identifies what ffmpeg is told. A worker that would tell its ffmpeg something else, and so has
	 * another digest, must not encode the chunks. `encodeChunk` checks it.
	 */
	offer(chunks: readonly Chunk[], digest: string, signal: AbortSignal): Promise<OfferedChunks>;
};

/** Chunks that were offered. Each is named by its index in the offer. */
export type OfferedChunks = {
	/**
	 * Tells how the chunks stand, in the order of the offer. With `take`, a chunk that nobody encodes goes to this
	 * process for good, and `taken` is its index; `taken` is `null` if there is none.
	 */
	look(
		take: boolean,
		signal: AbortSignal,
	): Promise<{
		readonly taken: number | null;
		readonly chunks: readonly { readonly isDone: boolean; readonly share: number }[];
	}>;
	/**
	 * Fetches the files of a chunk that is done. `path` says where each goes, by the name that `encodeChunk` gave it.
	 * Must reject if the bytes are not the very bytes that were proved.
	 */
	fetch(index: number, path: (file: string) => string, signal: AbortSignal): Promise<void>;
	/**
	 * Stores a chunk that this process took and encoded, so that another one can fetch it. Must not reject unless
	 * `signal` aborts. Needed if `keepsChunks`.
	 * @param chunk the names that `encodeChunk` gives the files, where they are, and the chunk's length and picture
	 */
	keep?(index: number, chunk: KeptChunk, signal: AbortSignal): Promise<void>;
	/** Waits some time before the next look. Never rejects. */
	pause(signal: AbortSignal): Promise<void>;
};

/** A chunk that is encoded and decodes. */
export type KeptChunk = {
	readonly files: readonly { readonly name: string; readonly path: string }[];
	readonly media: EncodedChunk["media"];
};
