import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { probeWithContent } from "../content/probe-with-content.ts";
import { decodeQuietly } from "../mp4/decode-files.ts";
import { provePackets, sumFile } from "../mp4/packet-sums.ts";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan, PlannedRendition, PlannedSound } from "../plan/encode-plan.ts";
import { planEncode } from "../plan/plan-encode.ts";
import { openPrograms } from "../run/programs.ts";
import type { Logger, MediaJob, Tools } from "../types.ts";
import type { Chunk } from "./chunks.ts";
import { type Encode, onlyPictures } from "./encode.ts";
import { encodeArguments } from "./encode-arguments.ts";
import { type EncodeOptions, encodeTracks } from "./encode-tracks.ts";

/** What `encodeChunk` needs: the chunk, the job's plan, and the tools. */
export type EncodeChunkOptions = {
	/** Path of the whole source. */
	readonly source: string;
	/** Takes one file for each rendition. It is made if it is missing. */
	readonly directory: string;
	/** The job of the whole source. */
	readonly job: MediaJob;
	readonly chunk: Chunk;
	/** The digest that came with the offer; see `ChunkWorkers`. */
	readonly digest: string;
	readonly tools: Tools;
	/** Called with integer percents that never fall. */
	readonly onProgress?: (percent: number) => void;
	readonly logger?: Logger;
	readonly signal?: AbortSignal;
	/** How many seconds each program may take before it is killed (default: 14,400). */
	readonly maxSeconds?: number;
};

/** What an encoded chunk came to. */
export type EncodedChunk = {
	/** Paths relative to the directory. */
	readonly files: string[];
	/** The length of the chunk, and the size of the source's picture. */
	readonly media: { readonly duration_seconds: number; readonly width: number; readonly height: number };
};

/** Names the file of a rendition's chunk. */
export const chunkFile = (rendition: string): string => `${rendition}.mp4`;

/**
 * Returns a digest of everything that ffmpeg is told about pictures. Two processes with the same digest encode chunks
 * that fit into one track.
 */
export function planDigest(plan: EncodePlan): string {
	const told = encodeArguments({ ...plan, sounds: [] }, "source", {
		video: ({ name }) => name,
		audio: ({ name }) => name,
	});
	return createHash("sha256").update(JSON.stringify(told)).digest("hex");
}

/**
 * Encodes the pictures of one chunk without the sound, and proves them: H.264 by the sums of its packets, AV1 by
 * decoding it. Rejects as `encodeTracks` does.
 * @throws {Error} when a file doesn't hold what was encoded, or a decoder complains about it
 */
export async function encodeProved(
	encode: Encode,
	chunk: Chunk,
	onShare: EncodeOptions["onShare"],
): Promise<Decision[]> {
	const decisions = await encodeTracks(onlyPictures(encode), { chunk, onShare, sums: true });
	const [decoded, summed] = (["av1", "h264"] as const).map((of) =>
		encode.plan.renditions.filter(({ codec }) => codec === of).map((rendition) => encode.paths.video(rendition)),
	);
	for (const path of summed ?? []) {
		await provePackets(encode, { path, sum: sumFile(path) }, [path]);
		await rm(sumFile(path));
	}
	const files = (decoded ?? []).map((path) => ({ path }));
	if (files.length > 0) await decodeQuietly(encode, files, [...new Set(files.map(({ path }) => dirname(path)))]);
	return decisions;
}

/**
 * Encodes one chunk of a source for another process, which makes the whole, and proves that the chunk decodes. The
 * directory then has one CMAF file for each rendition, whose time begins at 0. No program is left running when the
 * promise settles.
 * @throws {MediaError} when the source can't be processed
 * @throws {Error} when this process would encode the source differently, as it may with another ffmpeg
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { encodeChunk } from "@reelmill/media";
 *
 * const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: false };
 * const encoded = encodeChunk({
 * 	source: "clip.mp4",
 * 	directory: "chunk-2",
 * 	job: { plan: { renditions: ["h264_720"], outputs }, limits: { max_duration_seconds: 60 } },
 * 	chunk: { first: 100, end: 190 },
 * 	digest: "the digest of a process with another ffmpeg",
 * 	tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
 * });
 * await assert.rejects(encoded, /their ffmpegs differ/);
 * ```
 */
export async function encodeChunk(options: EncodeChunkOptions): Promise<EncodedChunk> {
	const { chunk, job, logger, signal, maxSeconds, onProgress } = options;
	const [source, directory] = [resolve(options.source), resolve(options.directory)];
	const programs = await openPrograms(options.tools, { logger, maxSeconds, signal });
	const probed = await probeWithContent({ programs, signal }, source);
	const plan = planEncode(probed, job);
	if (planDigest(plan) !== options.digest)
		throw new Error(
			"This worker would encode the source otherwise than the one that offered the chunk: their ffmpegs differ.",
		);
	if (chunk.first % plan.gop !== 0 || chunk.first >= chunk.end || chunk.end > plan.frames) {
		throw new Error(`Frames ${chunk.first} to ${chunk.end} are no groups of pictures of the ${plan.frames} frames.`);
	}
	await mkdir(directory, { recursive: true });
	const paths = {
		video: ({ name }: PlannedRendition) => join(directory, chunkFile(name)),
		audio: ({ name }: PlannedSound) => join(directory, `${name}.m4a`),
	};
	let told = 0;
	const onShare = (share: number) => {
		const percent = Math.floor(share * 95);
		if (percent <= told) return;
		told = percent;
		onProgress?.(percent);
	};
	await encodeProved({ programs, signal, source, plan, paths, directory, logger }, chunk, onShare);
	const { numerator, denominator } = plan.frameRate;
	return {
		files: plan.renditions.map(({ name }) => chunkFile(name)),
		media: {
			duration_seconds: ((chunk.end - chunk.first) * denominator) / numerator,
			width: probed.width,
			height: probed.height,
		},
	};
}
