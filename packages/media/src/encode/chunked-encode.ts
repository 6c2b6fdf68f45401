import { MediaError } from "../errors.ts";
import { joinChunks } from "../mp4/join-chunks.ts";
import type { Decision } from "../plan/decision.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { runAll } from "../run/run-both.ts";
import type { Cut } from "./choose-chunks.ts";
import { createChunkSet } from "./chunk-set.ts";
import { type Encode, onlySound } from "./encode.ts";
import { encodeByHardware } from "./encode-by-hardware.ts";
import { type EncodeOptions, encodeTracks } from "./encode-tracks.ts";
import { shareChunks } from "./share-chunks.ts";

/** How the tracks of a plan came to be. */
export type ChunkedEncode = {
	readonly decisions: readonly Decision[];
	/** The seconds at which each track was joined of chunks. Each chunk was decoded before. */
	readonly seams: readonly number[];
};

type OnShare = EncodeOptions["onShare"];

/**
 * Encodes every track of the plan, in several chunks at once if the cut has several. Each chunk is decoded again by
 * whoever encoded it. The chunks are joined by copying, so the result is one file a track, as of one encode; the sound
 * is not cut. If chunks fail and the source is not at fault, the whole is encoded as one, and a decision says why.
 * Rejects as `encodeTracks` does.
 */
export async function encodeInChunks(encode: Encode, cut: Cut, onShare?: OnShare): Promise<ChunkedEncode> {
	const work = async (onShare: OnShare) => {
		const made = await encodeAll(encode, cut, onShare);
		onShare?.(1);
		return made;
	};
	return encode.encodeMeter?.measure(encode.plan.renditions, work, onShare) ?? work(onShare);
}

async function encodeAll(encode: Encode, cut: Cut, onShare: OnShare): Promise<ChunkedEncode> {
	const encodeAsOne = async () => ({
		decisions: await encodeByHardware(encode, { onShare, sums: true }),
		seams: [],
	});
	if (cut.chunks.length < 2) return encodeAsOne();
	try {
		return await encodeAndJoin(encode, cut, onShare);
	} catch (error) {
		encode.signal?.throwIfAborted();
		if (error instanceof MediaError) throw error;
		const { decisions, seams } = await encodeAsOne();
		const because = `it failed in chunks: ${String(error).slice(0, 500)}`;
		return { decisions: [...decisions, { about: "encoding", decision: "as one", because }], seams };
	}
}

async function encodeAndJoin(
	encode: Encode,
	{ chunks, workers, encoded = 0 }: Cut,
	onShare: OnShare,
): Promise<ChunkedEncode> {
	const { plan, paths } = encode;
	const set = createChunkSet(encode, chunks, onShare);
	const left = [...chunks.keys()].slice(encoded);
	for (let index = 0; index < encoded; index += 1) set.onShare(index, 1);
	const encodeSound = (signal: AbortSignal) => encodeTracks(onlySound({ ...encode, signal }));
	const pictures =
		workers === undefined
			? left.map((index) => (signal: AbortSignal) => set.encodeHere(index, signal))
			: [(signal: AbortSignal) => shareChunks(set, workers, signal)];
	const decisions = await runAll([...pictures, ...(plan.sounds.length === 0 ? [] : [encodeSound])], encode.signal);
	for (const rendition of plan.renditions) {
		const files = [...chunks.keys()].map((index) => set.path(index, rendition));
		await joinChunks(files, paths.video(rendition));
	}
	const because = "one process leaves cores of this machine idle";
	const atOnce = { about: "encoding", decision: `in ${left.length} chunks at once`, because };
	return {
		decisions: [...decisions.flat(), ...(workers === undefined && left.length > 1 ? [atOnce] : [])],
		seams: chunks.slice(1).map(({ first }) => first / perSecond(plan.frameRate)),
	};
}
