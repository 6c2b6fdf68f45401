import { MediaError } from "../errors.ts";
import { joinChunks } from "../mp4/join-chunks.ts";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan, PlannedRendition } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import type { Programs } from "../run/programs.ts";
import { together } from "../run/run-both.ts";
import type { ChunkWorkers } from "./chunk-workers.ts";
import type { Chunk } from "./chunks.ts";
import { type TrackPaths, ticksPerFrame } from "./encode-arguments.ts";
import { chunkFile, encodeProved, planDigest } from "./encode-chunk.ts";
import { type EncodeOptions, encode } from "./encode-tracks.ts";

/** What was decided on the way, and at which seconds tracks were joined of chunks, each of which was decoded whole. */
export type ChunkedEncode = { readonly decisions: readonly Decision[]; readonly seams: readonly number[] };

/** How a source is cut, and by which other workers it is encoded, if any. */
export type Cut = { readonly chunks: readonly Chunk[]; readonly workers?: ChunkWorkers | undefined };

type ChunkedOptions = Omit<EncodeOptions, "chunk">;

/**
 * Encodes as `encode` does, and rejects as it does, in these chunks at once: with `workers` the first of them here and
 * the others there, otherwise one ffmpeg process each. The sound is not cut. Each chunk is decoded again as soon as it
 * is there, by whoever made it, and the chunks are joined by copying, so that one file a track comes out, as of one
 * encode. What fails in chunks, and not for the source, is encoded as one.
 */
export async function encodeInChunks(
	programs: Programs,
	plan: EncodePlan,
	source: string,
	paths: TrackPaths,
	{ chunks, workers, ...options }: ChunkedOptions & Cut,
): Promise<ChunkedEncode> {
	const asOne = async (): Promise<ChunkedEncode> => ({
		decisions: await encode(programs, plan, source, paths, options),
		seams: [],
	});
	if (chunks.length < 2) return asOne();
	try {
		return await encodeAndJoin(programs, plan, source, paths, { chunks, workers, ...options });
	} catch (error) {
		options.signal?.throwIfAborted();
		if (error instanceof MediaError) throw error;
		const { decisions, seams } = await asOne();
		return {
			decisions: [
				...decisions,
				{ about: "encoding", decision: "as one", because: `it failed in chunks: ${String(error).slice(0, 500)}` },
			],
			seams,
		};
	}
}

/** How chunks come to their places. */
type Pieces = {
	readonly chunks: readonly Chunk[];
	path(chunk: Chunk, rendition: PlannedRendition): string;
	/** Encodes and proves one of them here. */
	here(n: number, signal: AbortSignal): Promise<readonly Decision[]>;
	/** Says how much of one is done. */
	onShare(n: number, share: number): void;
};

async function encodeAndJoin(
	programs: Programs,
	plan: EncodePlan,
	source: string,
	paths: TrackPaths,
	{ chunks, workers, signal, onShare }: ChunkedOptions & Cut,
): Promise<ChunkedEncode> {
	const shares = chunks.map(() => 0);
	const pieces: Pieces = {
		chunks,
		path: ({ first }, rendition) => `${paths.video(rendition)}.from-${first}`,
		here(n, either) {
			const chunk = chunks[n] as Chunk;
			const chunkPaths: TrackPaths = { ...paths, video: (rendition) => pieces.path(chunk, rendition) };
			return encodeProved(programs, plan, source, chunkPaths, {
				signal: either,
				chunk,
				onShare: (share) => pieces.onShare(n, share),
			});
		},
		onShare(n, share) {
			shares[n] = share;
			onShare?.(chunks.reduce((sum, { first, end }, m) => sum + ((shares[m] ?? 0) * (end - first)) / plan.frames, 0));
		},
	};
	const sound = (either: AbortSignal) =>
		encode(programs, { ...plan, renditions: [] }, source, paths, { signal: either });
	const sounds = plan.sound === null ? [] : [sound];
	const pictures =
		workers === undefined
			? chunks.map((_, n) => (either: AbortSignal) => pieces.here(n, either))
			: [(either: AbortSignal) => encodeWithOthers(plan, pieces, workers, either)];
	const detours = await together([...pictures, ...sounds], signal);
	for (const rendition of plan.renditions) {
		const files = chunks.map((chunk) => ({
			path: pieces.path(chunk, rendition),
			startTicks: chunk.first * ticksPerFrame(plan),
		}));
		await joinChunks(files, paths.video(rendition));
	}
	const because = "one process leaves cores of this machine idle";
	const atOnce = { about: "encoding", decision: `in ${chunks.length} chunks at once`, because };
	return {
		decisions: [...detours.flat(), ...(workers === undefined ? [atOnce] : [])],
		seams: chunks.slice(1).map(({ first }) => first / perSecond(plan.frameRate)),
	};
}

/**
 * Encodes the first chunk here, and meanwhile fetches of the others what other workers have done. Whatever nobody
 * encodes, or can't be fetched as it was proved, is encoded here too: nothing waits for a worker that never comes.
 */
async function encodeWithOthers(
	plan: EncodePlan,
	pieces: Pieces,
	workers: ChunkWorkers,
	signal: AbortSignal,
): Promise<readonly Decision[]> {
	const offered = await workers.offer(pieces.chunks.slice(1), planDigest(plan), signal);
	const missing = new Set(pieces.chunks.keys());
	const decisions: Decision[] = [];
	const returned: number[] = [];
	const encodeHere = async (n: number, either: AbortSignal) => {
		decisions.push(...(await pieces.here(n, either)));
		missing.delete(n);
	};
	const encodeAll = async (either: AbortSignal) => {
		await encodeHere(0, either);
		let here = 1;
		while (missing.size > 0) {
			const { taken } = returned.length > 0 ? { taken: null } : await offered.look(true, either);
			const mine = returned.shift() ?? (taken === null ? undefined : taken + 1);
			if (mine === undefined) await offered.pause(either);
			else {
				await encodeHere(mine, either);
				here += 1;
			}
			either.throwIfAborted();
		}
		const elsewhere = pieces.chunks.length - here;
		decisions.push({
			about: "encoding",
			decision: `in ${pieces.chunks.length} chunks, ${elsewhere} of them by other workers`,
			because: `${workers.count} of them waited for work`,
		});
	};
	const fetchAll = async (either: AbortSignal) => {
		const tried = new Set<number>();
		while (missing.size > 0) {
			const { chunks } = await offered.look(false, either);
			for (const [index, { isDone, share }] of chunks.entries()) {
				const n = index + 1;
				if (!missing.has(n) || tried.has(n)) continue;
				if (!isDone) {
					if (share > 0) pieces.onShare(n, share);
					continue;
				}
				tried.add(n);
				try {
					const byName = new Map(
						plan.renditions.map((rendition) => [
							chunkFile(rendition.name),
							pieces.path(pieces.chunks[n] as Chunk, rendition),
						]),
					);
					await offered.fetch(index, (file) => byName.get(file) as string, either);
					pieces.onShare(n, 1);
					missing.delete(n);
				} catch (error) {
					either.throwIfAborted();
					decisions.push({
						about: "encoding",
						decision: `chunk ${n + 1} encoded again`,
						because: String(error).slice(0, 500),
					});
					returned.push(n);
				}
			}
			if (missing.size > 0) await offered.pause(either);
			either.throwIfAborted();
		}
	};
	await together([encodeAll, fetchAll], signal);
	return decisions;
}
