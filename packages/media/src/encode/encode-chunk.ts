import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { decodeQuietly } from "../mp4/decode-files.ts";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { planEncode } from "../plan/plan-encode.ts";
import { openPrograms, type Programs } from "../run/programs.ts";
import { probeWith } from "../source/probe.ts";
import type { Logger, MediaJob, Tools } from "../types.ts";
import type { Chunk } from "./chunks.ts";
import { encodeArguments, type TrackPaths } from "./encode-arguments.ts";
import { type EncodeOptions, encode } from "./encode-tracks.ts";

export type EncodeChunkOptions = {
	/** Path of the whole source. */
	readonly source: string;
	/** Takes one file a rendition; made if missing. */
	readonly directory: string;
	/** The whole source's. */
	readonly job: MediaJob;
	readonly chunk: Chunk;
	/** Of the plan that the offering process made; see {@link planDigest}. */
	readonly digest: string;
	readonly tools: Tools;
	/** Integer percent, never falling. */
	readonly onProgress?: (percent: number) => void;
	readonly logger?: Logger;
	readonly signal?: AbortSignal;
	/** Each program is killed after so many seconds of wall clock; four hours unless told. */
	readonly maxSeconds?: number;
};

export type EncodedChunk = {
	/** Paths relative to the directory. */
	readonly files: string[];
	/** Of the chunk. */
	readonly media: { readonly duration_seconds: number; readonly width: number; readonly height: number };
};

/** The file of a rendition's chunk. */
export const chunkFile = (rendition: string): string => `${rendition}.mp4`;

/** A sum of all that ffmpeg is told about pictures: two processes that have the same one encode chunks of one track. */
export function planDigest(plan: EncodePlan): string {
	const told = encodeArguments({ ...plan, sound: null }, "source", { video: ({ name }) => name, audio: "" });
	return createHash("sha256").update(JSON.stringify(told)).digest("hex");
}

/**
 * Encodes the pictures of one chunk, without the sound, and decodes them again: rejects as `encode` does, and with an
 * Error where the decoders have a word to say.
 */
export async function encodeProved(
	programs: Programs,
	plan: EncodePlan,
	source: string,
	paths: TrackPaths,
	options: EncodeOptions & { readonly chunk: Chunk },
): Promise<Decision[]> {
	const decisions = await encode(programs, { ...plan, sound: null }, source, paths, options);
	const files = plan.renditions.map((rendition) => ({ path: paths.video(rendition) }));
	const folders = [...new Set(files.map(({ path }) => dirname(path)))];
	await decodeQuietly(programs, files, { signal: options.signal, reads: folders });
	return decisions;
}

/**
 * Encodes one chunk of a source for a process that makes the whole of it, and proves that it decodes: one CMAF file a
 * rendition, whose time begins at 0. Rejects with MediaError where the source is at fault, with an Error where this
 * process would encode the source otherwise than the one that offered the chunk, as it may with another ffmpeg, and
 * else as `process` does.
 */
export async function encodeChunk(options: EncodeChunkOptions): Promise<EncodedChunk> {
	const { chunk, job, logger, signal, maxSeconds, onProgress } = options;
	const [source, directory] = [resolve(options.source), resolve(options.directory)];
	const programs = await openPrograms(options.tools, { logger, maxSeconds, signal });
	const probed = await probeWith(programs, source, signal);
	const plan = planEncode(probed, job);
	if (planDigest(plan) !== options.digest)
		throw new Error(
			"This worker would encode the source otherwise than the one that offered the chunk: their ffmpegs differ.",
		);
	if (chunk.first % plan.gop !== 0 || chunk.first >= chunk.end || chunk.end > plan.frames) {
		throw new Error(`Frames ${chunk.first} to ${chunk.end} are no groups of pictures of the ${plan.frames} frames.`);
	}
	await mkdir(directory, { recursive: true });
	const paths: TrackPaths = {
		video: ({ name }) => join(directory, chunkFile(name)),
		audio: join(directory, "audio.m4a"),
	};
	let reported = 0;
	const onShare = (share: number) => {
		const percent = Math.floor(share * 95);
		if (percent <= reported) return;
		reported = percent;
		onProgress?.(percent);
	};
	await encodeProved(programs, plan, source, paths, { chunk, signal, onShare });
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
