import type { Decision } from "../plan/decision.ts";
import type { PlannedRendition } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { runBoth } from "../run/run-both.ts";
import type { ChunkSet } from "./chunk-set.ts";
import type { ChunkWorkers, KeptChunk, OfferedChunks } from "./chunk-workers.ts";
import { chunkOf } from "./chunks.ts";
import { chunkFile, planDigest } from "./encode-chunk.ts";

/** Chunks that this process and other workers encode together. Chunk 0 is not offered. */
type Sharing = {
	readonly set: ChunkSet;
	readonly offered: OfferedChunks;
	/** The chunks whose files are not here yet. */
	readonly missing: Set<number>;
	/** The chunks that another worker encoded and that could not be fetched. */
	readonly unfetched: number[];
	readonly decisions: Decision[];
};

/**
 * Encodes the first chunk here and offers the others to other workers. If finished chunks are kept, the first one comes
 * last, because it is never offered and so is never kept. This process encodes what they leave or what
 * can't be fetched as it was proved, so it never waits for a worker that doesn't come. Resolves when the files of all
 * chunks are here.
 */
export async function shareChunks(
	set: ChunkSet,
	workers: ChunkWorkers,
	signal: AbortSignal,
): Promise<readonly Decision[]> {
	const { chunks, encode } = set;
	const offered = await workers.offer(chunks.slice(1), planDigest(encode.plan), signal);
	const missing = new Set(chunks.keys());
	const sharing: Sharing = { set, offered, missing, unfetched: [], decisions: [] };
	const [here] = await runBoth(
		(signal) => encodeWhatIsLeft(sharing, signal),
		(signal) => fetchWhatIsDone(sharing, signal),
		signal,
	);
	return [
		...sharing.decisions,
		{
			about: "encoding",
			decision: `in ${chunks.length} chunks, ${chunks.length - here} of them by other workers`,
			because: workers.keepsChunks
				? "an earlier attempt was interrupted, and finished chunks are kept"
				: `${workers.count} of them waited for work`,
		},
	];
}

/** Encodes one chunk after the other in this process until none is missing. Returns how many it encoded. */
async function encodeWhatIsLeft(sharing: Sharing, signal: AbortSignal): Promise<number> {
	const { set, offered, missing, unfetched, decisions } = sharing;
	let encoded = 0;
	const encodeHere = async (index: number) => {
		decisions.push(...(await set.encodeHere(index, signal)));
		missing.delete(index);
		encoded += 1;
		if (index > 0) await offered.keep?.(index - 1, keptOf(set, index), signal);
	};
	if (offered.keep === undefined) await encodeHere(0);
	while (missing.size > 0) {
		const { taken } = unfetched.length > 0 ? { taken: null } : await offered.look(true, signal);
		const left = missing.has(0) ? 0 : undefined;
		const next = unfetched.shift() ?? (taken === null ? left : taken + 1);
		if (next === undefined) await offered.pause(signal);
		else await encodeHere(next);
		signal.throwIfAborted();
	}
	return encoded;
}

/** Fetches chunks as other workers finish them, each once, until none is missing. */
async function fetchWhatIsDone({ set, offered, missing, unfetched, decisions }: Sharing, signal: AbortSignal) {
	const tried = new Set<number>();
	while (missing.size > 0) {
		const { chunks } = await offered.look(false, signal);
		for (const [offer, { isDone, share }] of chunks.entries()) {
			const index = offer + 1;
			if (!missing.has(index) || tried.has(index)) continue;
			if (!isDone) {
				if (share > 0) set.onShare(index, share);
				continue;
			}
			tried.add(index);
			try {
				await offered.fetch(offer, pathsOf(set, index), signal);
				set.onShare(index, 1);
				missing.delete(index);
			} catch (error) {
				signal.throwIfAborted();
				const because = String(error).slice(0, 500);
				decisions.push({ about: "encoding", decision: `chunk ${index + 1} encoded again`, because });
				unfetched.push(index);
			}
		}
		if (missing.size > 0) await offered.pause(signal);
		signal.throwIfAborted();
	}
}

/** Returns what is kept of a chunk. */
function keptOf(set: ChunkSet, index: number): KeptChunk {
	const { renditions, frameRate } = set.encode.plan;
	const { first, end } = chunkOf(set.chunks, index);
	const { width, height } = renditions[0] as PlannedRendition;
	return {
		files: renditions.map((rendition) => ({ name: chunkFile(rendition.name), path: set.path(index, rendition) })),
		media: { duration_seconds: (end - first) / perSecond(frameRate), width, height },
	};
}

/** Says where each file of a chunk goes, by the name that `encodeChunk` gives it. */
function pathsOf(set: ChunkSet, index: number): (file: string) => string {
	const { renditions } = set.encode.plan;
	const byName = new Map(renditions.map((rendition) => [chunkFile(rendition.name), set.path(index, rendition)]));
	return (file) => byName.get(file) as string;
}
