import type { Cut } from "./encode/choose-chunks.ts";
import { type ChunkedEncode, encodeInChunks } from "./encode/chunked-encode.ts";
import { type Encode, onlyCodec } from "./encode/encode.ts";
import type { Progress } from "./encode/progress.ts";
import { type FinishedTracks, finishTracks, listRenditions } from "./finish-tracks.ts";
import type { EncodePlan } from "./plan/encode-plan.ts";
import type { ProcessOptions } from "./process-options.ts";
import { behindOthers } from "./run/programs.ts";
import { runBoth } from "./run/run-both.ts";

/** Encoded tracks, and the outputs of those that were finished earlier. */
export type H264FirstEncode = ChunkedEncode & { readonly earlier: FinishedTracks };

/** Says whether a plan serves both codecs. Only then can one be played before the other. */
export const servesBothCodecs = ({ renditions }: EncodePlan): boolean =>
	(["h264", "av1"] as const).every((codec) => renditions.some((one) => one.codec === codec && one.delivered));

/**
 * Encodes H.264 and AV1 at once, with AV1 on the cores that H.264 leaves. As soon as H.264 is encoded, it is packaged,
 * proved and given to `onPlayable`. The AV1 tracks are left for `finishTracks`. Rejects as `encodeInChunks`,
 * `finishTracks` and `onPlayable` do; both encodes are stopped by then.
 */
export async function encodeH264First(
	encode: Encode,
	cut: Cut,
	{ progress, onPlayable }: { progress: Progress; onPlayable: NonNullable<ProcessOptions["onPlayable"]> },
): Promise<H264FirstEncode> {
	const [h264, av1] = await runBoth(
		(signal) => encodePlayable({ ...encode, signal }, cut, { progress, onPlayable }),
		(signal) => {
			const behind = { ...encode, programs: behindOthers(encode.programs), signal };
			return encodeInChunks(onlyCodec(behind, "av1"), cut, progress.onShare("av1"));
		},
		encode.signal,
	);
	const order = { about: "AV1", decision: "encoded behind H.264", because: "H.264 was to be playable first" };
	return { ...av1, decisions: [...h264.decisions, ...av1.decisions, order], earlier: h264.earlier };
}

async function encodePlayable(
	encode: Encode,
	cut: Cut,
	{ progress, onPlayable }: { progress: Progress; onPlayable: NonNullable<ProcessOptions["onPlayable"]> },
): Promise<H264FirstEncode> {
	const h264 = onlyCodec(encode, "h264");
	const encoded = await encodeInChunks(h264, cut, progress.onShare("h264"));
	const earlier = await finishTracks(h264, { seams: encoded.seams, captions: null, earlier: null });
	const served = earlier.videos.filter(({ rendition }) => rendition.delivered);
	await onPlayable({ files: [...earlier.files], renditions: listRenditions(served) });
	return { ...encoded, earlier };
}
