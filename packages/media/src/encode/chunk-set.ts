import type { Decision } from "../plan/decision.ts";
import type { PlannedRendition } from "../plan/encode-plan.ts";
import { type Chunk, chunkOf } from "./chunks.ts";
import type { Encode } from "./encode.ts";
import { encodeProved } from "./encode-chunk.ts";

/** The chunks of one encode. Each is named by its index. */
export type ChunkSet = {
	readonly encode: Encode;
	readonly chunks: readonly Chunk[];
	/** Says where the track of a rendition's chunk lies. */
	path(index: number, rendition: PlannedRendition): string;
	/** Encodes a chunk in this process, and decodes it again. Rejects as `encodeTracks` does. */
	encodeHere(index: number, signal: AbortSignal): Promise<readonly Decision[]>;
	/** Takes the share of a chunk that is done, from 0 to 1. */
	onShare(index: number, share: number): void;
};

/** Makes the set. `onShare` is called with the share of the whole that is done, from 0 to 1. */
export function createChunkSet(
	encode: Encode,
	chunks: readonly Chunk[],
	onShare: ((share: number) => void) | undefined,
): ChunkSet {
	const { plan, paths } = encode;
	const shares = chunks.map(() => 0);
	const set: ChunkSet = {
		encode,
		chunks,
		path: (index, rendition) => `${paths.video(rendition)}.from-${chunkOf(chunks, index).first}`,
		encodeHere(index, signal) {
			const chunkPaths = { ...paths, video: (rendition: PlannedRendition) => set.path(index, rendition) };
			return encodeProved({ ...encode, paths: chunkPaths, signal }, chunkOf(chunks, index), (share) =>
				set.onShare(index, share),
			);
		},
		onShare(index, share) {
			shares[index] = share;
			onShare?.(chunks.reduce((sum, { first, end }, n) => sum + ((shares[n] ?? 0) * (end - first)) / plan.frames, 0));
		},
	};
	return set;
}
