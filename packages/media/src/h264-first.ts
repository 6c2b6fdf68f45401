import type { Cut } from "./encode/choose-chunks.ts";
import { type ChunkedEncode, encodeInChunks } from "./encode/chunked-encode.ts";
import type { Chunk } from "./encode/chunks.ts";
import { type Encode, onlyRenditions } from "./encode/encode.ts";
import type { Progress } from "./encode/progress.ts";
import { type FinishedTracks, finishTracks, listRenditions } from "./finish-tracks.ts";
import { growOpening, makeOpening, type Opening } from "./opening.ts";
import type { EncodePlan, PlannedRendition } from "./plan/encode-plan.ts";
import { area } from "./plan/renditions.ts";
import type { Playable, ProcessOptions } from "./process-options.ts";
import { behindOthers } from "./run/programs.ts";
import { runBoth } from "./run/run-both.ts";

/** Encoded tracks of `rest`, and the outputs that were finished earlier. */
export type H264FirstEncode = ChunkedEncode & { readonly earlier: FinishedTracks; readonly rest: Encode };

/**
 * Returns the rendition that can be played before the others: the smallest delivered one of H.264. Returns `null` if
 * there is none, or if no other is delivered.
 */
export function firstRendition({ renditions }: Pick<EncodePlan, "renditions">): PlannedRendition | null {
	const delivered = renditions.filter((one) => one.delivered);
	const [smallest] = delivered.filter(({ codec }) => codec === "h264").sort((a, b) => area(a) - area(b));
	return smallest !== undefined && delivered.length > 1 ? smallest : null;
}

/**
 * Encodes `first` with the sounds, and all other renditions on the cores that it leaves. As soon as `first` is encoded,
 * it is packaged, proved and given to `onPlayable`. If there are `frames` for an opening, these frames of `first` are
 * encoded before anything else, and given to `onPlayable` while the others are encoded. The other tracks are left for
 * `finishTracks`. Rejects as `encodeInChunks`, `finishTracks` and `onPlayable` do; all encodes are stopped by then.
 */
export async function encodeH264First(
	encode: Encode,
	{ cut, first, frames }: { readonly cut: Cut; readonly first: PlannedRendition; readonly frames: Chunk | null },
	{ progress, onPlayable }: { progress: Progress; onPlayable: NonNullable<ProcessOptions["onPlayable"]> },
): Promise<H264FirstEncode> {
	const { ahead, rest } = divide(encode, first);
	const opening = frames && (await makeOpening(ahead, frames, cut));
	const [{ earlier, ...made }, behind] = await runBoth(
		(signal) => encodePlayable({ ...ahead, signal }, { cut, opening }, { progress, onPlayable }),
		(signal) =>
			encodeInChunks({ ...rest, programs: behindOthers(encode.programs), signal }, cut, progress.onShare("rest")),
		encode.signal,
	);
	const order = {
		about: first.name,
		decision: "encoded ahead of the other renditions",
		because: "the video was to be playable early",
	};
	return { ...behind, decisions: [...made.decisions, ...behind.decisions, order], earlier, rest };
}

/** Divides an encode. web.mp4 is made of the largest track of H.264, so it belongs to the part that has that. */
function divide(encode: Encode, first: PlannedRendition): { readonly ahead: Encode; readonly rest: Encode } {
	const { renditions, outputs } = encode.plan;
	const others = renditions.filter((one) => one !== first);
	const waits = others.some(({ codec }) => codec === "h264");
	const ahead = onlyRenditions(encode, [first]);
	const rest = onlyRenditions(encode, others);
	return {
		ahead: {
			...ahead,
			plan: { ...ahead.plan, outputs: { ...outputs, mp4_fallback: outputs.mp4_fallback && !waits } },
		},
		rest: { ...rest, plan: { ...rest.plan, sounds: [] } },
	};
}

async function encodePlayable(
	encode: Encode,
	{ cut, opening }: { readonly cut: Cut; readonly opening: Opening | null },
	{ progress, onPlayable }: { progress: Progress; onPlayable: NonNullable<ProcessOptions["onPlayable"]> },
): Promise<ChunkedEncode & { readonly earlier: FinishedTracks }> {
	// The opening's playlists and the master playlist are written again afterwards: by then they have been taken.
	const [encoded] = await runBoth(
		(signal) => encodeInChunks({ ...encode, signal }, opening?.cut ?? cut, progress.onShare("first")),
		async () => opening && onPlayable(playableOf(opening)),
		encode.signal,
	);
	const finished = await finishTracks(encode, {
		...{ seams: encoded.seams, captions: [], beside: [], earlier: null },
	});
	const files = [...finished.files, ...(opening === null ? [] : await growOpening(encode, opening, finished))];
	const earlier = { ...finished, files: [...new Set(files)].sort() };
	const served = earlier.videos.filter(({ rendition }) => rendition.delivered);
	await onPlayable({ files: [...earlier.files], renditions: listRenditions(served) });
	return { ...encoded, earlier };
}

const playableOf = ({ files, video }: Opening): Playable => ({
	files: [...files],
	renditions: listRenditions([{ ...video, track: { ...video.track, name: video.rendition.name } }]),
});
